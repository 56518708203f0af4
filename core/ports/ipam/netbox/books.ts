import { type Clock, timestamp } from "../../../clock.ts";
import type { NetboxApi, Query } from "../../netbox/api.ts";
import { translated } from "../../netbox/error.ts";
import type { NumberPool, Survey, Usage } from "../ipam.ts";
import {
  customFields,
  type Entry,
  entryOf,
  marksOf,
  slipwayTag,
  statuses,
  type Use,
} from "./entry.ts";
import type { NumberState } from "./number-state.ts";
import { type NetboxObject, objectSchema, type Shelf } from "./shelf.ts";

/** How many numbers whose rest is over one call frees. */
const freedAtOnce = 50;

/** What NetBox is to show of a number. */
export type Shown =
  | { use: "held" | "foreign"; holder: string }
  /** `until`: the end of its rest, in milliseconds. */
  | { use: "resting"; until: number };

export interface BooksOptions {
  api: NetboxApi;
  clock: Clock;
  pool: NumberPool;
  shelf: Shelf;
  /** Who has a number by Slipway's own store: what somebody has stays in NetBox, however it is shown there. */
  stateOf(number: number): Promise<NumberState>;
}

/**
 * The books of one pool, kept in NetBox. A number is there as an object of NetBox for as long as it is
 * held, foreign or at rest, so that nobody else gets it there either.
 */
export class Books {
  readonly #api: NetboxApi;
  readonly #clock: Clock;
  readonly #pool: NumberPool;
  readonly #shelf: Shelf;
  readonly #stateOf: BooksOptions["stateOf"];

  constructor({ api, clock, pool, shelf, stateOf }: BooksOptions) {
    this.#api = api;
    this.#clock = clock;
    this.#pool = pool;
    this.#shelf = shelf;
    this.#stateOf = stateOf;
  }

  /** The holder's numbers in the order in which NetBox gave them, so that all who look see the same first ones. */
  async heldBy(holder: string): Promise<Entry[]> {
    const entries = await this.#entries("held", { [`cf_${customFields.holder}`]: holder });
    return entries.filter((entry) => entry.holder === holder);
  }

  /**
   * Has NetBox give the holder what it lacks of `count` numbers, and answers all it has then: more where
   * two have asked at once. Undefined where there are too few; then the holder has none.
   */
  async take(holder: string, count: number): Promise<Entry[] | undefined> {
    for (let isFirst = true; ; isFirst = false) {
      const mine = await this.heldBy(holder);
      const isEnough = mine.length >= count;
      if (isEnough && mine.every(({ number }) => this.isOfPool(number))) return mine;
      const reply = isEnough ? undefined : await this.#ask(holder, mine, count);
      if (reply?.status === 201) continue;
      // Another attempt may have asked by the same name a moment ago.
      if (reply?.status === 400 && isFirst) continue;
      if (reply?.status === 400) throw translated(reply, `POST ${this.#shelf.available}`);
      for (const entry of mine) await this.remove(entry);
      if ((await this.endRests()) === 0) return undefined;
    }
  }

  /** All of them or none. */
  #ask(holder: string, mine: Entry[], count: number) {
    const names = Array.from({ length: count }, (_, n) => `${holder} ${n + 1}`).filter(
      (name) => !mine.some((entry) => entry.name === name),
    );
    const body = names.slice(0, count - mine.length).map((name) => ({
      ...this.#shelf.wish,
      ...(this.#shelf.hasNames && { name }),
      ...marksOf(this.#pool, "held", holder),
    }));
    return this.#api.send({ method: "POST", path: this.#shelf.available, body }, [400, 409]);
  }

  /** Removes a number that was never used. */
  async remove({ id }: Pick<Entry, "id">): Promise<void> {
    await this.#api.send({ method: "DELETE", path: this.#pathOf(id) }, [404]);
  }

  /** Puts a number to rest. What is gone already, because a person removed it, does not rest. */
  async rest(entry: Entry): Promise<void> {
    await this.mark(entry, { use: "resting", until: this.#clock.now() + this.#pool.rest });
  }

  /**
   * Frees numbers whose rest is over, and answers how many. One that something else in NetBox needs,
   * such as a VLAN with a prefix, goes on resting, and so does one that somebody has: a person changed it.
   */
  async endRests(): Promise<number> {
    const now = this.#clock.now();
    const over = (await this.#entries("resting")).filter(({ until }) => until <= now);
    let [asked, freed] = [0, 0];
    for (const { id, number } of over) {
      if (asked === freedAtOnce) break;
      if (!(await this.#isFree(number))) continue;
      asked += 1;
      const path = this.#pathOf(id);
      const reply = await this.#api.send({ method: "GET", path }, [404]);
      if (reply.status === 404) continue;
      const entry = this.entryOf(objectSchema.parse(reply.json));
      if (entry?.use !== "resting" || entry.until > now) continue;
      const etag = reply.headers.get("etag");
      const headers = { ...(etag !== null && { "if-match": etag }) };
      const { status } = await this.#api.send({ method: "DELETE", path, headers }, [404, 409, 412]);
      if (status === 204) freed += 1;
    }
    return freed;
  }

  /** When each rest that is not over ends, soonest first. */
  async restsEnd(): Promise<number[]> {
    const now = this.#clock.now();
    const entries = await this.#entries("resting");
    return entries.flatMap(({ until }) => (until > now ? [until] : [])).sort((a, b) => a - b);
  }

  async usage(): Promise<Usage> {
    const [all, resting] = await Promise.all([this.#count({}), this.#count(marked("resting"))]);
    return { used: Math.max(0, all - resting), resting, size: this.#pool.size };
  }

  async survey(): Promise<Survey> {
    const { used, size } = await this.usage();
    const resting = (await this.restsEnd()).length;
    return { used, resting, size, foreign: await this.#count(marked("foreign")) };
  }

  foreign(): Promise<Entry[]> {
    return this.#entries("foreign");
  }

  /** Holds a foreign number, unless somebody has it in NetBox. */
  async holdForeign(number: number, holder: string): Promise<void> {
    if (!this.isOfPool(number)) return;
    const [found] = await this.at(number);
    const entry = found && this.entryOf(found);
    if (entry?.use === "resting") await this.mark(entry, { use: "foreign", holder });
    if (found) return;
    const there = await this.make(number, { use: "foreign", holder });
    // NetBox may let two have the same prefix or address. The other one keeps it.
    const ours = there.find((object) => this.entryOf(object)?.use === "foreign");
    if (ours && there.length > 1) await this.remove(ours);
  }

  /** Writes a number, unless NetBox has it already. Answers what is there then. */
  async make(number: number, shown: Exclude<Shown, { use: "resting" }>): Promise<NetboxObject[]> {
    const { path, hasNames } = this.#shelf;
    const body = {
      ...this.#shelf.members(number),
      ...(hasNames && { name: nameOf(shown, number) }),
      ...marksOf(this.#pool, shown.use, shown.holder),
    };
    const reply = await this.#api.send({ method: "POST", path, body }, [400]);
    const there = await this.at(number);
    // 400: it was given to somebody meanwhile.
    if (reply.status === 400 && there.length === 0) throw translated(reply, `POST ${path}`);
    return there;
  }

  /** Changes what NetBox shows of a number. Answers whether NetBox has it still. */
  async mark(entry: Entry, shown: Shown): Promise<boolean> {
    const [holder, until] =
      shown.use === "resting" ? [null, timestamp(shown.until)] : [shown.holder, null];
    const { custom_fields, status } = marksOf(this.#pool, shown.use, holder, until);
    const name = nameOf(shown, entry.number);
    const body = { ...(this.#shelf.hasNames && { name }), status, custom_fields };
    const request = { method: "PATCH", path: this.#pathOf(entry.id), body } as const;
    return (await this.#api.send(request, [404])).status !== 404;
  }

  async #entries(use: Use, query: Query = {}): Promise<Entry[]> {
    // What is outside of the pool is to be found too: NetBox may have given it.
    const filter =
      use === "held" ? { ...marked(use), ...query } : { ...this.#within, ...marked(use) };
    const objects = await this.#api.all(this.#shelf.path, objectSchema, filter);
    return objects.flatMap((object) => {
      const entry = this.entryOf(object);
      return entry?.use === use ? [entry] : [];
    });
  }

  /** The entry that an object is; undefined for what is somebody else's. */
  entryOf(object: NetboxObject): Entry | undefined {
    return entryOf(this.#pool, this.#shelf, object);
  }

  /** Undefined for an object that is no number of such a pool. */
  numberOf(object: NetboxObject): number | undefined {
    return this.#shelf.numberOf(object);
  }

  isOfPool(number: number | undefined): boolean {
    const { first, size } = this.#pool;
    return number !== undefined && number >= first && number < first + size;
  }

  /** All that has this number in NetBox, whoever wrote it. */
  at(number: number): Promise<NetboxObject[]> {
    return this.#api
      .all(this.#shelf.path, objectSchema, this.#shelf.at(number))
      .then((found) => found.filter((object) => this.#shelf.numberOf(object) === number));
  }

  /** All that has a number of the pool in NetBox, whoever wrote it, by pages. */
  everything(): AsyncGenerator<NetboxObject[]> {
    return this.#api.pages(this.#shelf.path, objectSchema, this.#within);
  }

  /** What is no number of the pool is nobody's. */
  async #isFree(number: number | undefined): Promise<boolean> {
    return number === undefined || (await this.#stateOf(number)).use === "none";
  }

  #count(query: Query): Promise<number> {
    return this.#api.count(this.#shelf.path, { ...this.#within, ...query });
  }

  get #within(): Query {
    return this.#shelf.within(this.#pool);
  }

  #pathOf(id: number): string {
    return `${this.#shelf.path}${id}/`;
  }
}

const marked = (use: Use): Query => ({ tag: slipwayTag, status: statuses[use] });

/** A name that no other number has. */
const nameOf = (shown: Shown, number: number | undefined): string =>
  `${shown.use === "held" ? shown.holder : `slipway ${shown.use}`} ${number}`;
