import { timestamp } from "../../../clock.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../error.ts";
import { numberKey, numbersKey, restingPartition } from "../../../kernel/object/keys.ts";
import { mustLoad, putChanged, refuseFenced } from "../../../kernel/object/records.ts";
import { rewritten } from "../../../kernel/object/rewrite.ts";
import {
  absent,
  all,
  type Check,
  eq,
  exists,
  type Item,
  TransactionRefused,
  type Write,
} from "../../../kernel/store/store.ts";
import type { Cluster } from "../../../resources/cluster/model.ts";

/**
 * Pools of numbers: VLAN ids, prefixes of a range, addresses outside. A claim costs the same
 * whatever the pool's size: numbers never used come off a watermark, those given back rest first
 * and are taken again in the order in which their rest ends. Each claimed number has an item that
 * names its owner, and the owner's record changes in the same transaction: a number belongs to
 * exactly one cluster, or rests, or is free.
 */
export interface NumberPool {
  /** Unique; such as `vlans#site-a`. */
  name: string;
  first: number;
  /** How many numbers from `first` on; may grow. */
  size: number;
  /** Milliseconds of the clock before a number that was given back is taken again. */
  rest: number;
}

/** `next`: when the next rest ends, if one does (ms). */
export type Claim = { claimed: number[] } | { short: Usage; next: number | undefined };

/** Numbers in use and at rest, of how many there are. */
export interface Usage {
  used: number;
  resting: number;
  size: number;
}

/** Tries against others who claim from the same pool. */
const tries = 50;

interface Holding {
  cluster: string;
  /** What the cluster holds of this pool; empty when nothing. */
  held(cluster: Cluster): number[];
}

interface Taking extends Holding {
  /** How many; all or none, so that no two orders keep from each other what both need. */
  count: number;
  fence: Check[];
  /** The cluster with these numbers in it. */
  hold(cluster: Cluster, numbers: number[]): Cluster;
  /** Go with the claim in one transaction, such as giving up a place in line. */
  writes?: Write[];
}

/** Claims numbers for a cluster. Throws Cancelled when its operation has turned back meanwhile. */
export async function claimNumbers(
  deps: Pick<Deps, "store" | "clock">,
  pool: NumberPool,
  taking: Taking,
): Promise<Claim> {
  for (let n = 0; n < tries; n++) {
    const cluster = await mustLoad(deps.store, "cluster", taking.cluster);
    const held = taking.held(cluster);
    if (held.length > 0) return { claimed: held };
    const offer = await offerOf(deps, pool, taking.count);
    if ("short" in offer) return offer;
    const { numbers } = offer;
    const after = rewritten(cluster, taking.hold(cluster, numbers), deps.clock.now());
    const writes: Write[] = [
      ...taking.fence,
      putChanged(after),
      ...numbers.map((number) => ({
        put: { ...numberKey(pool.name, number), owner: cluster.id },
        if: absent,
      })),
      ...offer.writes,
      ...(taking.writes ?? []),
    ];
    if (await transacted(deps, taking.fence, writes)) return { claimed: numbers };
  }
  throw tooMany(pool);
}

const tooMany = (pool: NumberPool) =>
  new AppError("Unavailable", `too many others use pool ${pool.name}; it is tried again`);

/** True when written; false when somebody was faster. Throws Cancelled at the fence. */
export async function transacted(
  deps: Pick<Deps, "store">,
  fence: Check[],
  writes: Write[],
): Promise<boolean> {
  try {
    await deps.store.transact(writes);
    return true;
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    refuseFenced(error, fence);
    return false;
  }
}

type Offer = { numbers: number[]; writes: Write[] } | Extract<Claim, { short: Usage }>;

/** The numbers to take next, with the writes that take them out of where they are. */
async function offerOf(
  deps: Pick<Deps, "store" | "clock">,
  pool: NumberPool,
  count: number,
): Promise<Offer> {
  const key = numbersKey(pool.name);
  const [state, resting] = await Promise.all([
    deps.store.get(key),
    deps.store.query({ pk: restingPartition(pool.name), limit: count }),
  ]);
  const now = `${timestamp(deps.clock.now())}#~`;
  const usage = counters(state);
  const fresh = Math.min(count, Math.max(0, pool.size - usage.next));
  const rested = resting.items.filter(({ sk }) => sk <= now).slice(0, count - fresh);
  if (fresh + rested.length < count) {
    const end = resting.items[count - fresh - 1]?.sk.split("#")[0];
    const next = end === undefined ? undefined : Date.parse(end);
    return { short: { used: usage.used, resting: usage.resting, size: pool.size }, next };
  }
  const moved = { used: count, next: fresh, resting: -rested.length };
  return {
    numbers: [
      ...Array.from({ length: fresh }, (_, n) => pool.first + usage.next + n),
      ...rested.map(({ number }) => Number(number)),
    ],
    writes: [
      state
        ? { update: key, add: moved, if: eq("next", usage.next) }
        : { put: { ...key, ...moved }, if: absent },
      ...rested.map(({ pk, sk }) => ({ delete: { pk, sk }, if: exists })),
    ],
  };
}

/** A number that may be taken again from then on (ms). */
export const resting = ({ name }: NumberPool, until: number, number: number): Item => ({
  pk: restingPartition(name),
  sk: `${timestamp(until)}#${String(number).padStart(12, "0")}`,
  number,
});

export function counters(state: Item | undefined): { used: number; resting: number; next: number } {
  const count = (name: string) => (typeof state?.[name] === "number" ? Number(state[name]) : 0);
  return { used: count("used"), resting: count("resting"), next: count("next") };
}

/**
 * Gives a cluster's numbers back: they rest, then others may take them. `letGo` takes them out of
 * the cluster's record in the same write. Harmless when they were given back before.
 */
export async function releaseNumbers(
  deps: Pick<Deps, "store" | "clock">,
  pool: NumberPool,
  giving: Holding & { letGo(cluster: Cluster): Cluster },
): Promise<number[]> {
  for (let n = 0; n < tries; n++) {
    const cluster = await mustLoad(deps.store, "cluster", giving.cluster);
    const numbers = giving.held(cluster);
    if (numbers.length === 0) return [];
    const now = deps.clock.now();
    const writes: Write[] = [
      putChanged(rewritten(cluster, giving.letGo(cluster), now)),
      ...numbers.flatMap((number): Write[] => [
        { delete: numberKey(pool.name, number), if: all(exists, eq("owner", cluster.id)) },
        { put: resting(pool, now + pool.rest, number) },
      ]),
      {
        update: numbersKey(pool.name),
        add: { used: -numbers.length, resting: numbers.length },
        if: exists,
      },
    ];
    if (await transacted(deps, [], writes)) return numbers;
  }
  throw tooMany(pool);
}

/** How full a pool is. */
export async function usageOf(deps: Pick<Deps, "store">, pool: NumberPool): Promise<Usage> {
  const { used, resting } = counters(await deps.store.get(numbersKey(pool.name)));
  return { used, resting, size: pool.size };
}
