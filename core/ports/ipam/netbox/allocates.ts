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
import { AllocatedNumbers } from "./allocated-numbers.ts";
import type { TaggedObject } from "./custom-fields.ts";
import { driftOf } from "./drift.ts";
import { type NetboxParent, objectTypeOf } from "./object-type.ts";
import { PoolObjects } from "./pool-objects.ts";
import { firstUse, isUsed, netboxDefinition, noteUsage } from "./pool-usage.ts";

export interface NetboxIpamOptions {
  api: NetboxApi;
  /** The parent object of the pool's numbers in NetBox. */
  placeOf(pool: NumberPool): NetboxParent;
}

type NetboxDeps = Pick<Deps, "store" | "kinds" | "clock">;

/** How often one claim releases a number that already has a holder. */
const tries = 20;

/**
 * NetBox as the allocator: it allocates VLANs, prefixes and addresses under its own lock, and shows their
 * holders. An allocation has its holder's name, by which a repeated claim finds it. An allocation without a
 * record, from a claim that was cut off, is released with the holder's next release. A number that people
 * free in NetBox while a record has it goes to nobody else (`allocated-numbers.ts`). NetBox's usage of a pool
 * is stored, for processes that cannot reach NetBox.
 */
export class NetboxAllocates implements Ipam {
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
    const [objects, allocated] = [this.#objects(pool), new AllocatedNumbers(this.#deps, pool)];
    return optimisticallyFenced<Claim>(store, fence, async () => {
      const record = await mustLoad(this.#deps, holder.kind, holder.id);
      const held = holder.held(record);
      if (held.length > 0) return { writes: [], result: { claimed: held } };
      const use = await store.get(poolUseKey(pool.name));
      if (!isUsed(use) && isCurrent && !(await isCurrent()))
        throw new AppError("Unavailable", `pool ${pool.name} was changed; it is tried again`);
      // A cancelled claim must leave nothing in NetBox.
      await mustHold(store, fence);
      const tagged = await this.#take(pool, holderName(holder), count);
      if (!tagged) return { writes: [], result: await this.#short(pool, objects, count) };
      const claimed = tagged.slice(0, count).flatMap(({ number }) => number ?? []);
      // Two concurrent attempts see the same first numbers; the others are superfluous.
      for (const object of tagged.slice(count)) await objects.delete(object);
      return {
        writes: [
          ...written(this.#deps, record, holder.hold(record, claimed)).writes,
          ...allocated.claimWrites(claimed, holder),
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
    const allocated = new AllocatedNumbers(this.#deps, pool);
    const released = await optimistically<number[] | undefined>(
      store,
      async () => {
        const record = await mustLoad(this.#deps, holder.kind, holder.id);
        const held = holder.held(record);
        // Also releases numbers that a crash has left in NetBox only.
        if (held.length === 0) return { writes: [...fence], result: [] };
        if (seen && !isDeepStrictEqual(held, [...seen])) return { writes: [], result: undefined };
        const freed = written(this.#deps, record, holder.release(record)).writes;
        const writes = [...fence, ...freed, ...allocated.releaseWrites(held, holder)];
        return { writes, result: held };
      },
      (refusal) => refuseFenced(refusal, fence),
    );
    if (!released) return [];
    const objects = this.#objects(pool);
    const tagged = (await objects.heldBy(holderName(holder))).filter(
      ({ number }) => !seen || (number !== undefined && seen.includes(number)),
    );
    for (const object of tagged) await objects.rest(object);
    return [...new Set([...released, ...tagged.flatMap(({ number }) => number ?? [])])];
  }

  async usage(pool: NumberPool): Promise<Usage> {
    const usage = await this.#objects(pool).usage();
    await noteUsage(this.#deps, pool, usage);
    return usage;
  }

  async survey(pool: NumberPool): Promise<Survey> {
    const survey = await this.#objects(pool).survey();
    await noteUsage(this.#deps, pool, survey);
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
    const [objects, allocated] = [this.#objects(pool), new AllocatedNumbers(this.#deps, pool)];
    const states = await allocated.states();
    for (const [number, holder] of foreign) {
      if (states.has(number) || !objects.isOfPool(number)) continue;
      // Written to our own store last: if a crash cuts this off, it is repeated.
      await objects.holdForeign(number, holder);
      await allocated.holdForeign(number, holder);
    }
    const shown = await objects.foreign();
    for (const [number, state] of states) {
      if (state.use !== "foreign" || foreign.has(number)) continue;
      if (!(await this.#holds(fence))) return;
      for (const object of shown) if (object.number === number) await objects.rest(object);
      await allocated.releaseForeign(number, state.holder, fence);
    }
    await objects.endRests();
    await this.survey(pool);
  }

  drift(pool: NumberPool): Promise<NumberDrift[]> {
    return driftOf(new AllocatedNumbers(this.#deps, pool), this.#objects(pool));
  }

  /**
   * The holder's allocations in NetBox; undefined if too few are free. A number that a person has freed there
   * while a record has it is allocated again, and shown at rest for as long as the record has it.
   */
  async #take(
    pool: NumberPool,
    holder: string,
    count: number,
  ): Promise<TaggedObject[] | undefined> {
    const [objects, allocated] = [this.#objects(pool), new AllocatedNumbers(this.#deps, pool)];
    for (let n = 0; n < tries; n++) {
      const tagged = await objects.allocate(holder, count);
      if (!tagged) return undefined;
      const taken = await allocated.allocatedOf(tagged.flatMap(({ number }) => number ?? []));
      if (taken.size === 0) return tagged;
      for (const object of tagged)
        if (object.number !== undefined && taken.has(object.number)) await objects.rest(object);
    }
    const message = `NetBox gives out numbers of pool ${pool.name} that others have; it is tried again`;
    throw new AppError("Unavailable", message);
  }

  #objects(pool: NumberPool): PoolObjects {
    const { api, placeOf } = this.#options;
    const allocated = new AllocatedNumbers(this.#deps, pool);
    return new PoolObjects({
      ...{ api, pool, clock: this.#deps.clock, type: objectTypeOf(placeOf(pool)) },
      stateOf: (number) => allocated.stateOf(number),
    });
  }

  async #short(pool: NumberPool, objects: PoolObjects, count: number): Promise<Claim> {
    const [short, ends] = [await objects.usage(), await objects.restsEnd()];
    const free = Math.max(0, pool.size - short.used - short.resting);
    return { short, next: ends[count - free - 1] };
  }

  #holds(fence: Check[]): Promise<boolean> {
    return fence.length === 0 ? Promise.resolve(true) : isWritten(this.#deps.store, fence);
  }
}
