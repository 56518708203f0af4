import { timestamp } from "../clock.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../error.ts";
import type { Cluster } from "../model/cluster.ts";
import { numberKey, numbersKey, restingPartition } from "../store/keys.ts";
import { mustLoad, putChanged } from "../store/records.ts";
import { rewritten } from "../store/rewrite.ts";
import {
  absent,
  all,
  type Check,
  eq,
  exists,
  type Item,
  TransactionRefused,
  type Write,
} from "../store/store.ts";

/**
 * Pools of numbers: VLAN ids, prefixes of a range, addresses of a prefix. A claim costs the same
 * whatever the pool's size: numbers never used come off a watermark, those given back rest first
 * and are taken again in the order in which their rest ends. Each claimed number has an item that
 * names its owner, and the owner's record changes in the same transaction: a number belongs to
 * exactly one cluster, or rests, or is free.
 */
export interface NumberPool {
  /** Unique; such as `vlan#site-a`. */
  name: string;
  first: number;
  /** How many numbers from `first` on. */
  size: number;
  /** Milliseconds of the clock before a number that was given back is taken again. */
  rest: number;
}

export type Claim = { claimed: number } | { exhausted: Usage };

/** Numbers in use and at rest, of how many there are. */
export interface Usage {
  used: number;
  resting: number;
  size: number;
}

/** Tries against others who claim from the same pool. */
const tries = 50;

interface Taking {
  cluster: string;
  fence: Check[];
  /** What the cluster holds of this pool already, if anything: then that is the answer. */
  held(cluster: Cluster): number | undefined;
  /** The cluster with this number in it. */
  hold(cluster: Cluster, n: number): Cluster;
}

/** Claims a number for a cluster. Throws Cancelled when its operation has turned back meanwhile. */
export async function claimNumber(
  deps: Pick<Deps, "store" | "clock">,
  pool: NumberPool,
  taking: Taking,
): Promise<Claim> {
  for (let n = 0; n < tries; n++) {
    const cluster = await mustLoad(deps.store, "cluster", taking.cluster);
    const held = taking.held(cluster);
    if (held !== undefined) return { claimed: held };
    const offer = await nextNumber(deps, pool);
    if ("exhausted" in offer) return offer;
    const after = rewritten(cluster, taking.hold(cluster, offer.number), deps.clock.now());
    const writes: Write[] = [
      ...taking.fence,
      putChanged(after),
      { put: { ...numberKey(pool.name, offer.number), owner: cluster.id }, if: absent },
      ...offer.writes,
    ];
    if (await transacted(deps, taking.fence, writes)) return { claimed: offer.number };
  }
  throw new AppError(
    "Unavailable",
    `too many others claim from pool ${pool.name}; it is tried again`,
  );
}

/** True when written; false when somebody was faster. Throws Cancelled at the fence. */
async function transacted(
  deps: Pick<Deps, "store">,
  fence: Check[],
  writes: Write[],
): Promise<boolean> {
  try {
    await deps.store.transact(writes);
    return true;
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    if (error.reasons.slice(0, fence.length).some((reason) => reason !== undefined)) {
      throw new AppError("Cancelled", "the operation has turned back", { cause: error });
    }
    return false;
  }
}

type Offer = { number: number; writes: Write[] } | { exhausted: Usage };

/** The number to take next, with the writes that take it out of where it is. */
async function nextNumber(deps: Pick<Deps, "store" | "clock">, pool: NumberPool): Promise<Offer> {
  const key = numbersKey(pool.name);
  const [state, rested] = await Promise.all([
    deps.store.get(key),
    deps.store.query({
      pk: restingPartition(pool.name),
      range: { to: `${timestamp(deps.clock.now())}#~` },
      limit: 1,
    }),
  ]);
  const { used, resting, next } = counters(state);
  if (next < pool.size) {
    const fresh: Write = state
      ? { update: key, add: { next: 1, used: 1 }, if: eq("next", next) }
      : { put: { ...key, next: 1, used: 1, resting: 0 }, if: absent };
    return { number: pool.first + next, writes: [fresh] };
  }
  const [free] = rested.items;
  if (!free) return { exhausted: { used, resting, size: pool.size } };
  return {
    number: Number(free.number),
    writes: [
      { delete: { pk: free.pk, sk: free.sk }, if: exists },
      { update: key, add: { used: 1, resting: -1 }, if: exists },
    ],
  };
}

function counters(state: Item | undefined): { used: number; resting: number; next: number } {
  const count = (name: string) => (typeof state?.[name] === "number" ? Number(state[name]) : 0);
  return { used: count("used"), resting: count("resting"), next: count("next") };
}

/**
 * Gives a cluster's number back: it rests, then others may take it. `let` takes it out of the
 * cluster's record in the same write. Harmless when it was given back before.
 */
export async function releaseNumber(
  deps: Pick<Deps, "store" | "clock">,
  pool: NumberPool,
  taking: Pick<Taking, "cluster" | "held"> & { letGo(cluster: Cluster): Cluster },
): Promise<number | undefined> {
  for (let n = 0; n < tries; n++) {
    const cluster = await mustLoad(deps.store, "cluster", taking.cluster);
    const number = taking.held(cluster);
    if (number === undefined) return undefined;
    const now = deps.clock.now();
    const until = timestamp(now + pool.rest);
    const writes: Write[] = [
      putChanged(rewritten(cluster, taking.letGo(cluster), now)),
      { delete: numberKey(pool.name, number), if: all(exists, eq("owner", cluster.id)) },
      {
        put: {
          pk: restingPartition(pool.name),
          sk: `${until}#${String(number).padStart(12, "0")}`,
          number,
        },
      },
      { update: numbersKey(pool.name), add: { used: -1, resting: 1 }, if: exists },
    ];
    if (await transacted(deps, [], writes)) return number;
  }
  throw new AppError("Unavailable", `too many others use pool ${pool.name}; it is tried again`);
}

/** How full a pool is. */
export async function usageOf(deps: Pick<Deps, "store">, pool: NumberPool): Promise<Usage> {
  const { used, resting } = counters(await deps.store.get(numbersKey(pool.name)));
  return { used, resting, size: pool.size };
}
