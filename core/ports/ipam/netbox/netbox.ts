import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../../error.ts";
import type { Holder } from "../../../kernel/claim/holder.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { rewritten } from "../../../kernel/events/rewrite.ts";
import { poolUseKey } from "../../../kernel/object/keys.ts";
import type { Kind } from "../../../kernel/object/object.ts";
import { mustLoad, putChanged } from "../../../kernel/object/records.ts";
import {
  isWritten,
  optimistically,
  optimisticallyFenced,
  refuseFenced,
} from "../../../kernel/store/optimistically.ts";
import { absent, all, type Check, eq, type Item, type Write } from "../../../kernel/store/store.ts";
import type { NetboxApi } from "../../netbox/api.ts";
import type { Claim, Ipam, NumberPool, ReleaseConditions, Wanted } from "../ipam.ts";
import { Books } from "./books.ts";
import { type NetboxPlace, shelfOf } from "./shelf.ts";

export interface NetboxIpamOptions {
  api: NetboxApi;
  /** Where the pool's numbers are in NetBox. */
  placeOf(pool: NumberPool): NetboxPlace;
}

type NetboxDeps = Pick<Deps, "store" | "kinds" | "clock">;

/**
 * NetBox as the allocator: it gives out VLANs, prefixes and addresses under a lock of its own, and shows
 * who holds them. An allocation carries its holder's name, by which a repeated claim finds it. One that
 * no record has, because a claim was cut off, is freed with the holder's release.
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
    const { store, kinds, clock } = this.#deps;
    const books = this.#books(pool);
    const name = nameOf(holder);
    return optimisticallyFenced<Claim>(store, fence, async () => {
      const record = await mustLoad(this.#deps, holder.kind, holder.id);
      const held = holder.held(record);
      if (held.length > 0) return { writes: [], result: { claimed: held } };
      const use = await store.get(poolUseKey(pool.name));
      if (!isUsed(use) && isCurrent && !(await isCurrent()))
        throw new AppError("Unavailable", `pool ${pool.name} was changed; it is tried again`);
      // Who may not claim any more leaves nothing in NetBox.
      await this.#mustHold(fence);
      const entries = await books.take(name, count);
      if (!entries) return { writes: [], result: await this.#short(pool, books, count) };
      const claimed = entries.slice(0, count).flatMap(({ number }) => number ?? []);
      // Two attempts that asked at once see the same first ones, and need no others.
      for (const entry of entries.slice(count)) await books.remove(entry);
      const after = rewritten(kinds, record, holder.hold(record, claimed), clock.now());
      return {
        writes: [putChanged(kinds, after), ...firstUse(pool, use), ...writes],
        result: { claimed },
      };
    });
  }

  async release<K extends Kind>(
    pool: NumberPool,
    holder: Holder<K>,
    { fence = [], seen }: ReleaseConditions = {},
  ): Promise<number[]> {
    const { store, kinds, clock } = this.#deps;
    const isReleased = await optimistically(
      store,
      async () => {
        const record = await mustLoad(this.#deps, holder.kind, holder.id);
        const held = holder.held(record);
        // What a crash has left in NetBox alone is freed too.
        if (held.length === 0) return { writes: [...fence], result: true };
        if (seen && !isDeepStrictEqual(held, [...seen])) return { writes: [], result: false };
        const after = rewritten(kinds, record, holder.release(record), clock.now());
        return { writes: [...fence, putChanged(kinds, after)], result: true };
      },
      (refusal) => refuseFenced(refusal, fence),
    );
    if (!isReleased) return [];
    const books = this.#books(pool);
    const entries = (await books.heldBy(nameOf(holder))).filter(
      ({ number }) => !seen || (number !== undefined && seen.includes(number)),
    );
    for (const entry of entries) await books.rest(entry);
    return entries.flatMap(({ number }) => number ?? []);
  }

  usage(pool: NumberPool) {
    return this.#books(pool).usage();
  }

  survey(pool: NumberPool) {
    return this.#books(pool).survey();
  }

  async wasUsed({ name }: NumberPool): Promise<boolean> {
    return isUsed(await this.#deps.store.get(poolUseKey(name)));
  }

  async redefine({ name }: NumberPool): Promise<Write[]> {
    const key = poolUseKey(name);
    return (await this.#deps.store.get(key))
      ? [{ update: key, add: { redefined: 1 }, if: eq("used", 0) }]
      : [{ put: { ...key, used: 0, redefined: 1 }, if: absent }];
  }

  async hold(
    pool: NumberPool,
    foreign: ReadonlyMap<number, string>,
    fence: Check[] = [],
  ): Promise<void> {
    const books = this.#books(pool);
    const held = await books.foreign();
    const isHeld = (number: number) => held.some((entry) => entry.number === number);
    for (const [number, holder] of foreign)
      if (!isHeld(number)) await books.holdForeign(number, holder);
    const gone = held.filter(({ number }) => number === undefined || !foreign.has(number));
    for (const entry of gone) {
      if (!(await this.#holds(fence))) return;
      await books.rest(entry);
    }
    await books.endRests();
  }

  #books(pool: NumberPool): Books {
    const { api, placeOf } = this.#options;
    return new Books(api, this.#deps.clock, pool, shelfOf(placeOf(pool)));
  }

  async #short(pool: NumberPool, books: Books, count: number): Promise<Claim> {
    const [short, ends] = [await books.usage(), await books.restsEnd()];
    const free = Math.max(0, pool.size - short.used - short.resting);
    return { short, next: ends[count - free - 1] };
  }

  /** Throws Cancelled when the fence does not hold. */
  async #mustHold(fence: Check[]): Promise<void> {
    if (!(await this.#holds(fence)))
      throw new AppError("Cancelled", "the operation has turned back");
  }

  #holds(fence: Check[]): Promise<boolean> {
    return fence.length === 0 ? Promise.resolve(true) : isWritten(this.#deps.store, fence);
  }
}

const nameOf = ({ kind, id }: { kind: string; id: string }): string => `${kind}/${id}`;

const isUsed = (use: Item | undefined): boolean => use?.used === 1;

/** Notes that the pool is used from now on; refused when its definition has changed since `use` was read. */
function firstUse({ name }: NumberPool, use: Item | undefined): Write[] {
  const key = poolUseKey(name);
  if (isUsed(use)) return [];
  return use
    ? [
        {
          update: key,
          add: { used: 1 },
          if: all(eq("used", 0), eq("redefined", Number(use.redefined))),
        },
      ]
    : [{ put: { ...key, used: 1, redefined: 0 }, if: absent }];
}
