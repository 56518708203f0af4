import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../../error.ts";
import { type Holder, holderName } from "../../../kernel/claim/holder.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { written } from "../../../kernel/events/rewrite.ts";
import { poolUseKey } from "../../../kernel/object/number-keys.ts";
import type { Kind } from "../../../kernel/object/object.ts";
import { mustLoad } from "../../../kernel/object/records.ts";
import {
  isWritten,
  mustHold,
  optimistically,
  optimisticallyFenced,
  refuseFenced,
} from "../../../kernel/store/optimistically.ts";
import type { Check, Write } from "../../../kernel/store/store.ts";
import type { NetboxApi } from "../../netbox/api.ts";
import type {
  Claim,
  Ipam,
  NumberDrift,
  NumberPool,
  ReleaseConditions,
  Survey,
  Usage,
  Wanted,
} from "../ipam.ts";
import { Books } from "./books.ts";
import { driftOf } from "./drift.ts";
import type { Entry } from "./entry.ts";
import { Given } from "./given.ts";
import { type NetboxPlace, shelfOf } from "./shelf.ts";
import { firstUse, isUsed, netboxDefinition, noteSeen } from "./use.ts";

export interface NetboxIpamOptions {
  api: NetboxApi;
  /** Where the pool's numbers are in NetBox. */
  placeOf(pool: NumberPool): NetboxPlace;
}

type NetboxDeps = Pick<Deps, "store" | "kinds" | "clock">;

/** How often one claim lets go of a number that somebody has already. */
const tries = 20;

/**
 * NetBox as the allocator: it gives out VLANs, prefixes and addresses under a lock of its own, and shows
 * who holds them. An allocation carries its holder's name, by which a repeated claim finds it. One that
 * no record has, because a claim was cut off, is freed with the holder's release. What people free in NetBox
 * while a record has it goes to nobody else (`given.ts`). What NetBox says of a pool's usage is noted, for
 * processes that have no way to NetBox.
 */
export class NetboxIpam implements Ipam {
  readonly #deps: NetboxDeps;
  readonly #options: NetboxIpamOptions;

  constructor(deps: NetboxDeps, options: NetboxIpamOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  async claim<K extends Kind>(
    pool: NumberPool,
    holder: Holder<K>,
    { count, fence, isCurrent, writes = [] }: Wanted,
  ): Promise<Claim> {
    const { store } = this.#deps;
    const [books, given] = [this.#books(pool), new Given(this.#deps, pool)];
    return optimisticallyFenced<Claim>(store, fence, async () => {
      const record = await mustLoad(this.#deps, holder.kind, holder.id);
      const held = holder.held(record);
      if (held.length > 0) return { writes: [], result: { claimed: held } };
      const use = await store.get(poolUseKey(pool.name));
      if (!isUsed(use) && isCurrent && !(await isCurrent()))
        throw new AppError("Unavailable", `pool ${pool.name} was changed; it is tried again`);
      // Who may not claim any more leaves nothing in NetBox.
      await mustHold(store, fence);
      const entries = await this.#take(pool, holderName(holder), count);
      if (!entries) return { writes: [], result: await this.#short(pool, books, count) };
      const claimed = entries.slice(0, count).flatMap(({ number }) => number ?? []);
      // Two attempts that asked at once see the same first ones, and need no others.
      for (const entry of entries.slice(count)) await books.remove(entry);
      return {
        writes: [
          ...written(this.#deps, record, holder.hold(record, claimed)).writes,
          ...given.holding(claimed, holder),
          ...firstUse(pool, use),
          ...writes,
        ],
        result: { claimed },
      };
    });
  }

  async release<K extends Kind>(
    pool: NumberPool,
    holder: Holder<K>,
    { fence = [], seen }: ReleaseConditions = {},
  ): Promise<number[]> {
    const { store } = this.#deps;
    const given = new Given(this.#deps, pool);
    const released = await optimistically<number[] | undefined>(
      store,
      async () => {
        const record = await mustLoad(this.#deps, holder.kind, holder.id);
        const held = holder.held(record);
        // What a crash has left in NetBox alone is freed too.
        if (held.length === 0) return { writes: [...fence], result: [] };
        if (seen && !isDeepStrictEqual(held, [...seen])) return { writes: [], result: undefined };
        const freed = written(this.#deps, record, holder.release(record)).writes;
        const writes = [...fence, ...freed, ...given.releasing(held, holder)];
        return { writes, result: held };
      },
      (refusal) => refuseFenced(refusal, fence),
    );
    if (!released) return [];
    const books = this.#books(pool);
    const entries = (await books.heldBy(holderName(holder))).filter(
      ({ number }) => !seen || (number !== undefined && seen.includes(number)),
    );
    for (const entry of entries) await books.rest(entry);
    return [...new Set([...released, ...entries.flatMap(({ number }) => number ?? [])])];
  }

  async usage(pool: NumberPool): Promise<Usage> {
    const usage = await this.#books(pool).usage();
    await noteSeen(this.#deps, pool, usage);
    return usage;
  }

  async survey(pool: NumberPool): Promise<Survey> {
    const survey = await this.#books(pool).survey();
    await noteSeen(this.#deps, pool, survey);
    return survey;
  }

  wasUsed(pool: NumberPool): Promise<boolean> {
    return netboxDefinition(this.#deps).wasUsed(pool);
  }

  redefine(pool: NumberPool): Promise<Write[]> {
    return netboxDefinition(this.#deps).redefine(pool);
  }

  async hold(
    pool: NumberPool,
    foreign: ReadonlyMap<number, string>,
    fence: Check[] = [],
  ): Promise<void> {
    const [books, given] = [this.#books(pool), new Given(this.#deps, pool)];
    const states = await given.states();
    for (const [number, holder] of foreign) {
      if (states.has(number) || !books.isOfPool(number)) continue;
      // It is kept in our own store last: what a crash cuts off is done again.
      await books.holdForeign(number, holder);
      await given.keep(number, holder);
    }
    const shown = await books.foreign();
    for (const [number, state] of states) {
      if (state.use !== "foreign" || foreign.has(number)) continue;
      if (!(await this.#holds(fence))) return;
      for (const entry of shown) if (entry.number === number) await books.rest(entry);
      await given.drop(number, state.holder, fence);
    }
    await books.endRests();
    await this.survey(pool);
  }

  drift(pool: NumberPool): Promise<NumberDrift[]> {
    return driftOf(new Given(this.#deps, pool), this.#books(pool));
  }

  /**
   * What NetBox gives the holder; undefined where there are too few. It gives out again what a person has
   * freed there while a record has it: such a number is shown at rest, for as long as the record has it.
   */
  async #take(pool: NumberPool, holder: string, count: number): Promise<Entry[] | undefined> {
    const [books, given] = [this.#books(pool), new Given(this.#deps, pool)];
    for (let n = 0; n < tries; n++) {
      const entries = await books.take(holder, count);
      if (!entries) return undefined;
      const taken = await given.taken(entries.flatMap(({ number }) => number ?? []));
      if (taken.size === 0) return entries;
      for (const entry of entries)
        if (entry.number !== undefined && taken.has(entry.number)) await books.rest(entry);
    }
    const message = `NetBox gives out numbers of pool ${pool.name} that others have; it is tried again`;
    throw new AppError("Unavailable", message);
  }

  #books(pool: NumberPool): Books {
    const { api, placeOf } = this.#options;
    const given = new Given(this.#deps, pool);
    return new Books({
      ...{ api, pool, clock: this.#deps.clock, shelf: shelfOf(placeOf(pool)) },
      stateOf: (number) => given.stateOf(number),
    });
  }

  async #short(pool: NumberPool, books: Books, count: number): Promise<Claim> {
    const [short, ends] = [await books.usage(), await books.restsEnd()];
    const free = Math.max(0, pool.size - short.used - short.resting);
    return { short, next: ends[count - free - 1] };
  }

  #holds(fence: Check[]): Promise<boolean> {
    return fence.length === 0 ? Promise.resolve(true) : isWritten(this.#deps.store, fence);
  }
}
