import * as z from "zod";
import { type Clock, timestamp } from "../../../clock.ts";
import type { NetboxApi, Query } from "../../netbox/api.ts";
import { translated } from "../../netbox/error.ts";
import type { NumberPool, Survey, Usage } from "../ipam.ts";
import { type NetboxObject, objectSchema, type Shelf } from "./shelf.ts";

/** The tag of everything that Slipway writes. It and the custom fields have to be there before. */
export const slipwayTag = "slipway";
export const customFields = {
  pool: "slipway_pool",
  holder: "slipway_holder",
  until: "slipway_rests_until",
} as const;

/** What a number is in use for, by the status that NetBox shows. */
const statuses = { held: "active", resting: "deprecated", foreign: "reserved" } as const;
type Use = keyof typeof statuses;

/** A number that Slipway has written into NetBox. */
export interface Entry {
  /** NetBox's id of the object. */
  id: number;
  /** Undefined, or outside of the pool, where NetBox has given what the pool has not. */
  number: number | undefined;
  name: string | undefined;
  use: Use;
  holder: string;
  /** The end of its rest, in milliseconds. */
  until: number;
}

/** How many numbers whose rest is over one call frees. */
const freedAtOnce = 50;

/**
 * The books of one pool, kept in NetBox. A number is there as an object of NetBox for as long as it is
 * held, foreign or at rest, so that nobody else gets it there either.
 */
export class Books {
  readonly #api: NetboxApi;
  readonly #clock: Clock;
  readonly #pool: NumberPool;
  readonly #shelf: Shelf;

  constructor(api: NetboxApi, clock: Clock, pool: NumberPool, shelf: Shelf) {
    this.#api = api;
    this.#clock = clock;
    this.#pool = pool;
    this.#shelf = shelf;
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
      if (isEnough && mine.every(({ number }) => this.#isOfPool(number))) return mine;
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
      ...this.#marks("held", holder),
    }));
    return this.#api.send({ method: "POST", path: this.#shelf.available, body }, [400, 409]);
  }

  /** Removes a number that was never used. */
  async remove({ id }: Entry): Promise<void> {
    await this.#api.send({ method: "DELETE", path: this.#pathOf(id) }, [404]);
  }

  /** Puts a number to rest. What is gone already, because a person removed it, does not rest. */
  async rest(entry: Entry): Promise<void> {
    const until = timestamp(this.#clock.now() + this.#pool.rest);
    await this.#mark(entry, "resting", null, until);
  }

  /**
   * Frees numbers whose rest is over, and answers how many. One that something else in NetBox needs,
   * such as a VLAN with a prefix, goes on resting.
   */
  async endRests(): Promise<number> {
    const now = this.#clock.now();
    const over = (await this.#entries("resting")).filter(({ until }) => until <= now);
    let freed = 0;
    for (const { id } of over.slice(0, freedAtOnce)) {
      const path = this.#pathOf(id);
      const reply = await this.#api.send({ method: "GET", path }, [404]);
      if (reply.status === 404) continue;
      const entry = this.#entryOf(objectSchema.parse(reply.json));
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
    if (!this.#isOfPool(number)) return;
    const [found] = await this.#at(number);
    const entry = found && this.#entryOf(found);
    if (entry?.use === "resting") await this.#mark(entry, "foreign", holder, null);
    if (found) return;
    const body = {
      ...this.#shelf.members(number),
      ...(this.#shelf.hasNames && { name: nameOf("foreign", number) }),
      ...this.#marks("foreign", holder),
    };
    const reply = await this.#api.send({ method: "POST", path: this.#shelf.path, body }, [400]);
    const there = await this.#at(number);
    // 400: it was given to somebody meanwhile.
    if (reply.status === 400 && there.length === 0)
      throw translated(reply, `POST ${this.#shelf.path}`);
    // NetBox may let two have the same prefix or address. The other one keeps it.
    const ours = there.find((object) => this.#entryOf(object)?.use === "foreign");
    if (ours && there.length > 1)
      await this.#api.send({ method: "DELETE", path: this.#pathOf(ours.id) }, [404]);
  }

  async #mark(entry: Entry, use: Use, holder: string | null, until: string | null): Promise<void> {
    const name = nameOf(use, entry.number);
    const { custom_fields, status } = this.#marks(use, holder, until);
    const body = { ...(this.#shelf.hasNames && { name }), status, custom_fields };
    await this.#api.send({ method: "PATCH", path: this.#pathOf(entry.id), body }, [404]);
  }

  #marks(use: Use, holder: string | null, until: string | null = null) {
    return {
      status: statuses[use],
      tags: [{ slug: slipwayTag }],
      custom_fields: {
        [customFields.pool]: this.#pool.name,
        [customFields.holder]: holder,
        [customFields.until]: until,
      },
    };
  }

  async #entries(use: Use, query: Query = {}): Promise<Entry[]> {
    // What is outside of the pool is to be found too: NetBox may have given it.
    const filter =
      use === "held" ? { ...marked(use), ...query } : { ...this.#within, ...marked(use) };
    const objects = await this.#api.all(this.#shelf.path, objectSchema, filter);
    return objects.flatMap((object) => {
      const entry = this.#entryOf(object);
      return entry?.use === use ? [entry] : [];
    });
  }

  /** The entry that an object is; undefined for an object that is not of this pool, or not ours. */
  #entryOf(object: NetboxObject): Entry | undefined {
    const { pool, holder, until } = marksSchema.parse(object.custom_fields);
    const isOurs = object.tags.some(({ slug }) => slug === slipwayTag) && pool === this.#pool.name;
    const use = uses.find((each) => statuses[each] === object.status.value);
    if (!isOurs || !use) return undefined;
    const number = this.#shelf.numberOf(object);
    return { id: object.id, number, name: object.name, use, holder, until };
  }

  #isOfPool(number: number | undefined): boolean {
    const { first, size } = this.#pool;
    return number !== undefined && number >= first && number < first + size;
  }

  #at(number: number): Promise<NetboxObject[]> {
    return this.#api
      .all(this.#shelf.path, objectSchema, this.#shelf.at(number))
      .then((found) => found.filter((object) => this.#shelf.numberOf(object) === number));
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

const uses = Object.keys(statuses) as Use[];

const marked = (use: Use): Query => ({ tag: slipwayTag, status: statuses[use] });

/** A name that no holder has. */
const nameOf = (use: Use, number: number | undefined): string => `slipway ${use} ${number}`;

const marksSchema = z
  .object({
    [customFields.pool]: z.string().nullish(),
    [customFields.holder]: z.string().nullish(),
    [customFields.until]: z.string().nullish(),
  })
  .transform((fields) => ({
    pool: fields[customFields.pool] ?? "",
    holder: fields[customFields.holder] ?? "",
    // A rest whose end a person has removed is over.
    until: Date.parse(fields[customFields.until] ?? "") || 0,
  }));
