import { AppError } from "../../error.ts";
import { allocationHostsKey } from "../../kernel/object/hub-keys.ts";
import { objectKey } from "../../kernel/object/keys.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import type { RecheckDeps } from "../../kernel/saga/rechecks.ts";
import { isWritten } from "../../kernel/store/optimistically.ts";
import {
  absent,
  any,
  compare,
  eq,
  type Item,
  lacks,
  TransactionRefused,
  type Update,
  type Write,
} from "../../kernel/store/store.ts";
import { findFree, hostsPerTransaction, type PoolPlace, reserveHost } from "../pool/entries.ts";
import { countFree } from "../pool/host-counts.ts";
import {
  allocationCounts,
  countReserved,
  forgetReserved,
  placesIn,
  type ReservedFor,
} from "../pool/reserved.ts";
import { hostQueue } from "../queues/tickets.ts";
import { wakeQueues } from "../queues/wake.ts";

/** Moves hosts between two states: free for all, and reserved by an allocation. */

type Allocation = ObjectOf["allocation"];

/** The allocation as it is named in entries and counters of its hosts. */
export const allocationFor = ({ id, metadata }: Allocation): ReservedFor => ({
  allocation: id,
  tenant: metadata.tenant,
});

/** Reserves up to `count` of the free hosts at a place; adds hosts that others have claimed meanwhile to `taken`. */
export async function reserveHosts(
  deps: RecheckDeps,
  allocation: Allocation,
  place: PoolPlace,
  count: number,
  taken: Set<string>,
): Promise<void> {
  const most = Math.min(count, hostsPerTransaction);
  const hosts = await findFree(deps.store, place, most, taken, deps.random);
  if (hosts.length === 0) return;
  const reservedFor = allocationFor(allocation);
  const puts = hosts.map((host) => reserveHost(place, host, reservedFor));
  const { reserved } = allocation.spec;
  const fits = any(lacks("total"), compare("total", "le", reserved - hosts.length));
  try {
    await deps.store.transact([
      ...puts,
      ...onlyIf(
        countReserved(hosts.map(() => ({ place, reservedFor, free: 1 }))),
        reservedFor,
        fits,
      ),
      ...countFree([[place, -hosts.length]]),
      unchanged(allocation),
    ]);
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    // A lagging index may offer these again.
    for (const [n, host] of hosts.entries()) if (error.reasons[n]) taken.add(host.id);
    return;
  }
  await wakeQueues(deps, [hostQueue(place.hostType)], place.hub);
}

/**
 * Releases up to `count` reserved hosts at one place, so that they are free for all. False if there were none, or
 * something has changed meanwhile.
 */
export async function releaseHosts(
  deps: RecheckDeps,
  reservedFor: ReservedFor,
  counters: Item | undefined,
  count: number,
  allocation?: Allocation,
): Promise<boolean> {
  const most = Math.min(count, hostsPerTransaction);
  for (const place of placesIn(counters)) {
    const hosts = await findFree(
      deps.store,
      place,
      most,
      new Set(),
      deps.random,
      reservedFor.allocation,
    );
    if (hosts.length === 0) continue;
    const tooMany = compare("total", "ge", (allocation?.spec.reserved ?? 0) + hosts.length);
    const isDone = await isWritten(deps.store, [
      ...hosts.map((host) => reserveHost(place, host)),
      ...onlyIf(
        countReserved(hosts.map(() => ({ place, reservedFor, free: -1 }))),
        reservedFor,
        tooMany,
      ),
      ...countFree([[place, hosts.length]]),
      allocation
        ? unchanged(allocation)
        : { check: objectKey("allocation", reservedFor.allocation), if: absent },
    ]);
    if (isDone) await wakeQueues(deps, [hostQueue(place.hostType)], place.hub);
    return isDone;
  }
  return false;
}

/** Releases the hosts that a deleted allocation has reserved, and removes its counters. */
export async function releaseAll(
  deps: RecheckDeps,
  id: string,
  known: Item | undefined,
): Promise<void> {
  let counters = known;
  const reservedFor = { allocation: id, tenant: String(counters?.tenant) };
  for (let n = 0; counters && allocationCounts(counters).free > 0; n++) {
    // The relay repeats this after such a change.
    if (n === 100)
      throw new AppError("Unavailable", `allocation '${id}' is being reduced too slowly`);
    await releaseHosts(deps, reservedFor, counters, hostsPerTransaction);
    counters = await deps.store.get(allocationHostsKey(id));
  }
  if (!counters) return;
  for (const place of placesIn(counters))
    await isWritten(deps.store, [forgetReserved(place, reservedFor)]);
  const isUnused = any(lacks("total"), compare("total", "le", 0));
  await isWritten(deps.store, [{ delete: allocationHostsKey(id), if: isUnused }]);
}

/** The condition on the counters of the allocation. */
const onlyIf = (
  writes: Write[],
  reservedFor: ReservedFor,
  condition: Update["if"] & object,
): Write[] =>
  writes.map((write) =>
    "update" in write && write.update.pk === allocationHostsKey(reservedFor.allocation).pk
      ? { ...write, if: condition }
      : write,
  );

export const unchanged = ({ id, revision }: Allocation): Write => ({
  check: objectKey("allocation", id),
  if: eq("revision", revision),
});

/** The counters of a new allocation. */
export const openCounters = (id: string, tenant: string): Write => ({
  put: { ...allocationHostsKey(id), tenant, total: 0, used: 0 },
  if: absent,
});
