import { type Clock, timestamp } from "../../../clock.ts";
import type { NetboxApi, NetboxQuery } from "../../netbox/api.ts";
import { netboxError } from "../../netbox/error.ts";
import type { NumberPool, Survey, Usage } from "../ipam.ts";
import {
  customFields,
  fieldsOf,
  type NumberUse,
  slipwayTag,
  statuses,
  type TaggedObject,
  taggedOf,
} from "./custom-fields.ts";
import type { NumberState } from "./number-state.ts";
import { type NetboxObject, type NetboxObjectType, objectSchema } from "./object-type.ts";

/** How many numbers one call frees after their rest. */
const freedAtOnce = 50;

/** The desired state of a number in NetBox. */
export type ShownUse =
  | { use: "held" | "foreign"; holder: string }
  /** `until`: the end of its rest, in milliseconds. */
  | { use: "resting"; until: number };

export interface PoolObjectsOptions {
  api: NetboxApi;
  clock: Clock;
  pool: NumberPool;
  type: NetboxObjectType;
  /**
   * The holder of a number by Slipway's own store: an object whose number has a holder stays in NetBox,
   * whatever NetBox shows of it.
   */
  stateOf(number: number): Promise<NumberState>;
}

/**
 * The objects of one pool in NetBox. A number has an object there while it is held, foreign or resting, so
 * that nobody else can get it there.
 */
export class PoolObjects {
  readonly #api: NetboxApi;
  readonly #clock: Clock;
  readonly #pool: NumberPool;
  readonly #type: NetboxObjectType;
  readonly #stateOf: PoolObjectsOptions["stateOf"];

  constructor({ api, clock, pool, type, stateOf }: PoolObjectsOptions) {
    this.#api = api;
    this.#clock = clock;
    this.#pool = pool;
    this.#type = type;
    this.#stateOf = stateOf;
  }

  /**
   * The holder's numbers in the order of their allocation by NetBox, so that concurrent calls see the same
   * first ones.
   */
  async heldBy(holder: string): Promise<TaggedObject[]> {
    const tagged = await this.#tagged("held", { [`cf_${customFields.holder}`]: holder });
    return tagged.filter((object) => object.holder === holder);
  }

  /**
   * Allocates to the holder in NetBox until it has `count` numbers, and answers all that it has: more after
   * concurrent calls. Undefined if too few are free; then the holder has none.
   */
  async allocate(holder: string, count: number): Promise<TaggedObject[] | undefined> {
    for (let isFirst = true; ; isFirst = false) {
      const mine = await this.heldBy(holder);
      const isEnough = mine.length >= count;
      if (isEnough && mine.every(({ number }) => this.isOfPool(number))) return mine;
      const reply = isEnough ? undefined : await this.#ask(holder, mine, count);
      if (reply?.status === 201) continue;
      // A concurrent attempt may have just used the same name.
      if (reply?.status === 400 && isFirst) continue;
      if (reply?.status === 400) throw netboxError(reply, `POST ${this.#type.available}`);
      for (const object of mine) await this.delete(object);
      if ((await this.endRests()) === 0) return undefined;
    }
  }

  /** Requests all missing numbers at once: NetBox allocates all or none. */
  #ask(holder: string, mine: TaggedObject[], count: number) {
    const names = Array.from({ length: count }, (_, n) => `${holder} ${n + 1}`).filter(
      (name) => !mine.some((object) => object.name === name),
    );
    const body = names.slice(0, count - mine.length).map((name) => ({
      ...this.#type.request,
      ...(this.#type.hasNames && { name }),
      ...fieldsOf(this.#pool, "held", holder),
    }));
    return this.#api.send({ method: "POST", path: this.#type.available, body }, [400, 409]);
  }

  /** Deletes the object of a number that was never used. */
  async delete({ id }: Pick<TaggedObject, "id">): Promise<void> {
    await this.#api.send({ method: "DELETE", path: this.#pathOf(id) }, [404]);
  }

  /** Puts a number to rest, unless a person has already removed it. */
  async rest(object: TaggedObject): Promise<void> {
    await this.update(object, { use: "resting", until: this.#clock.now() + this.#pool.rest });
  }

  /**
   * Frees numbers whose rest is over, and answers how many. A number keeps resting if another NetBox object
   * needs it, such as a VLAN with a prefix, or if it has a holder, because a person has changed its object.
   */
  async endRests(): Promise<number> {
    const now = this.#clock.now();
    const over = (await this.#tagged("resting")).filter(({ until }) => until <= now);
    let [asked, freed] = [0, 0];
    for (const { id, number } of over) {
      if (asked === freedAtOnce) break;
      if (!(await this.#isFree(number))) continue;
      asked += 1;
      const path = this.#pathOf(id);
      const reply = await this.#api.send({ method: "GET", path }, [404]);
      if (reply.status === 404) continue;
      const object = this.taggedOf(objectSchema.parse(reply.json));
      if (object?.use !== "resting" || object.until > now) continue;
      const etag = reply.headers.get("etag");
      const headers = { ...(etag !== null && { "if-match": etag }) };
      const { status } = await this.#api.send({ method: "DELETE", path, headers }, [404, 409, 412]);
      if (status === 204) freed += 1;
    }
    return freed;
  }

  /** The ends of all rests that are not over, soonest first. */
  async restsEnd(): Promise<number[]> {
    const now = this.#clock.now();
    const tagged = await this.#tagged("resting");
    return tagged.flatMap(({ until }) => (until > now ? [until] : [])).sort((a, b) => a - b);
  }

  async usage(): Promise<Usage> {
    const [all, resting] = await Promise.all([this.#count({}), this.#count(taggedWith("resting"))]);
    return { used: Math.max(0, all - resting), resting, size: this.#pool.size };
  }

  async survey(): Promise<Survey> {
    const { used, size } = await this.usage();
    const resting = (await this.restsEnd()).length;
    return { used, resting, size, foreign: await this.#count(taggedWith("foreign")) };
  }

  foreign(): Promise<TaggedObject[]> {
    return this.#tagged("foreign");
  }

  /** Blocks a foreign number, unless somebody has it in NetBox. */
  async holdForeign(number: number, holder: string): Promise<void> {
    if (!this.isOfPool(number)) return;
    const [found] = await this.withNumber(number);
    const object = found && this.taggedOf(found);
    if (object?.use === "resting") await this.update(object, { use: "foreign", holder });
    if (found) return;
    const there = await this.create(number, { use: "foreign", holder });
    // NetBox may permit the same prefix or address twice; then the other object keeps it.
    const ours = there.find((object) => this.taggedOf(object)?.use === "foreign");
    if (ours && there.length > 1) await this.delete(ours);
  }

  /** Creates the object of a number, unless NetBox has one. Answers the existing objects. */
  async create(
    number: number,
    shown: Exclude<ShownUse, { use: "resting" }>,
  ): Promise<NetboxObject[]> {
    const { path, hasNames } = this.#type;
    const body = {
      ...this.#type.fields(number),
      ...(hasNames && { name: nameOf(shown, number) }),
      ...fieldsOf(this.#pool, shown.use, shown.holder),
    };
    const reply = await this.#api.send({ method: "POST", path, body }, [400]);
    const there = await this.withNumber(number);
    // 400: it has been allocated to somebody else meanwhile.
    if (reply.status === 400 && there.length === 0) throw netboxError(reply, `POST ${path}`);
    return there;
  }

  /** Updates what NetBox shows of a number. Answers whether the object still exists. */
  async update(object: TaggedObject, shown: ShownUse): Promise<boolean> {
    const [holder, until] =
      shown.use === "resting" ? [null, timestamp(shown.until)] : [shown.holder, null];
    const { custom_fields, status } = fieldsOf(this.#pool, shown.use, holder, until);
    const name = nameOf(shown, object.number);
    const body = { ...(this.#type.hasNames && { name }), status, custom_fields };
    const request = { method: "PATCH", path: this.#pathOf(object.id), body } as const;
    return (await this.#api.send(request, [404])).status !== 404;
  }

  async #tagged(use: NumberUse, query: NetboxQuery = {}): Promise<TaggedObject[]> {
    // Includes objects outside the pool, which NetBox may have allocated.
    const filter =
      use === "held" ? { ...taggedWith(use), ...query } : { ...this.#within, ...taggedWith(use) };
    const objects = await this.#api.all(this.#type.path, objectSchema, filter);
    return objects.flatMap((object) => {
      const tagged = this.taggedOf(object);
      return tagged?.use === use ? [tagged] : [];
    });
  }

  /** An object with our tag and pool; undefined for somebody else's. */
  taggedOf(object: NetboxObject): TaggedObject | undefined {
    return taggedOf(this.#pool, this.#type, object);
  }

  /** The number of an object; undefined if such a pool cannot have it. */
  numberOf(object: NetboxObject): number | undefined {
    return this.#type.numberOf(object);
  }

  isOfPool(number: number | undefined): boolean {
    const { first, size } = this.#pool;
    return number !== undefined && number >= first && number < first + size;
  }

  /** All NetBox objects with this number, whoever wrote them. */
  withNumber(number: number): Promise<NetboxObject[]> {
    return this.#api
      .all(this.#type.path, objectSchema, this.#type.withNumber(number))
      .then((found) => found.filter((object) => this.#type.numberOf(object) === number));
  }

  /** All NetBox objects with a number of the pool, whoever wrote them, page by page. */
  pages(): AsyncGenerator<NetboxObject[]> {
    return this.#api.pages(this.#type.path, objectSchema, this.#within);
  }

  /** An object without a number of the pool has no holder. */
  async #isFree(number: number | undefined): Promise<boolean> {
    return number === undefined || (await this.#stateOf(number)).use === "none";
  }

  #count(query: NetboxQuery): Promise<number> {
    return this.#api.count(this.#type.path, { ...this.#within, ...query });
  }

  get #within(): NetboxQuery {
    return this.#type.within(this.#pool);
  }

  #pathOf(id: number): string {
    return `${this.#type.path}${id}/`;
  }
}

const taggedWith = (use: NumberUse): NetboxQuery => ({ tag: slipwayTag, status: statuses[use] });

/** A name that is unique to the number. */
const nameOf = (shown: ShownUse, number: number | undefined): string =>
  `${shown.use === "held" ? shown.holder : `slipway ${shown.use}`} ${number}`;
