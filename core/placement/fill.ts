import { isDeepStrictEqual } from "node:util";
import { AppError } from "../error.ts";
import { ticketKeyOf, ticketsIn } from "../kernel/claim/ticket.ts";
import type { Deps } from "../kernel/deps.ts";
import { allocationHostsKey } from "../kernel/object/hub-keys.ts";
import { objectKey } from "../kernel/object/keys.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import { load } from "../kernel/object/records.ts";
import { oncePerCounter } from "../kernel/store/once-per-counter.ts";
import { isWritten } from "../kernel/store/optimistically.ts";
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
} from "../kernel/store/store.ts";
import { couldServe } from "./choose.ts";
import type { Sought } from "./demand.ts";
import { countFree } from "./inventory.ts";
import { allocationHosts, countKept, forgetKept, type Kept, placesIn } from "./kept.ts";
import { type Plan, plan } from "./plan.ts";
import { findFree, hostsPerTransaction, keepHost, type PoolPlace } from "./pool.ts";
import { raisedAt } from "./raise.ts";
import { hostQueue, type Ticket, takeTicket } from "./tickets.ts";
import { wakeQueues } from "./wake.ts";

/**
 * Brings an allocation to the number of hosts that it is to have: keeps hosts that are free for all, gives back those
 * that are too many, and stands in line for those that it lacks. It follows from records and counters, so it may be
 * done at any time and by anybody; the relay does it after each change of the allocation or of its counters.
 */

type Allocation = ObjectOf["allocation"];

/** How often hosts are kept while others claim the same; then the allocation waits, as an order does. */
const tries = 60;

/** What an allocation wakes hot pools for; undefined where it lacks nothing that they have. */
export type Raised = NonNullable<Ticket["raises"]> | undefined;

/** Fills an allocation. Answers the hot pools that are to come up with what it lacks. */
export async function fillAllocation(deps: Deps, id: string): Promise<Raised[]> {
  const taken = new Set<string>();
  let stands = false;
  for (let n = 1; ; n++) {
    const allocation = await load(deps, "allocation", id);
    const counters = await deps.store.get(allocationHostsKey(id));
    if (!allocation) {
      await giveAllBack(deps, id, counters);
      return [];
    }
    const { free, used } = allocationHosts(counters);
    const lacking = allocation.spec.reserved - free - used;
    if (lacking < 0 && free > 0 && n <= tries) {
      if (
        !(await giveBack(deps, keptFor(allocation), counters, Math.min(free, -lacking), allocation))
      )
        return [];
      continue;
    }
    const found = lacking > 0 ? await search(deps, allocation, taken) : undefined;
    if (found?.place && n <= tries) {
      await keep(deps, allocation, found.place, lacking, taken);
      continue;
    }
    const raised = await standInLine(deps, allocation, lacking, found?.plans ?? new Map());
    // Who freed a host since the search, and before the ticket stood, has not told the allocation.
    if (!raised.isNew || stands || n > tries) return raised.raises;
    stands = true;
  }
}

const keptFor = ({ id, metadata }: Allocation): Kept => ({
  allocation: id,
  tenant: metadata.tenant,
});

/** An allocation looks for one host at a time: hosts of one hub are not wanted together. */
function soughtBy({ metadata, spec }: Allocation, hostType: string): Sought {
  return {
    owner: { tenant: metadata.tenant },
    wants: [{ set: "kept", hostType, count: 1 }],
    slot: false,
    where: { ...(spec.site !== undefined && { site: spec.site }) },
    queues: [hostQueue(hostType)],
    free: true,
  };
}

/** A place with hosts that nobody waits for before the allocation; or how the search for one ended, by host type. */
async function search(
  deps: Deps,
  allocation: Allocation,
  taken: ReadonlySet<string>,
): Promise<{ place?: PoolPlace; plans: Map<string, Plan> }> {
  const plans = new Map<string, Plan>();
  for (const hostType of allocation.host_types) {
    const planning = { operation: allocation, placement: undefined, taken };
    const found = await plan(deps, soughtBy(allocation, hostType), planning);
    if (found.found) return { place: { hub: found.found.candidate.hub.id, hostType }, plans };
    plans.set(hostType, found);
  }
  return { plans };
}

/** Keeps up to `count` of the free hosts at a place. */
async function keep(
  deps: Deps,
  allocation: Allocation,
  place: PoolPlace,
  count: number,
  taken: Set<string>,
): Promise<void> {
  const most = Math.min(count, hostsPerTransaction);
  const hosts = await findFree(deps.store, place, most, taken, deps.random);
  if (hosts.length === 0) return;
  const kept = keptFor(allocation);
  const puts = hosts.map((host) => keepHost(place, host, kept));
  const { reserved } = allocation.spec;
  const fits = any(lacks("total"), compare("total", "le", reserved - hosts.length));
  try {
    await deps.store.transact([
      ...puts,
      ...onlyIf(countKept(hosts.map(() => ({ place, kept, free: 1 }))), kept, fits),
      ...countFree([[place, -hosts.length]]),
      unchanged(allocation),
    ]);
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
    // A lagging index may offer them again.
    for (const [n, host] of hosts.entries()) if (error.reasons[n]) taken.add(host.id);
    return;
  }
  await wakeQueues(deps, [hostQueue(place.hostType)], place.hub);
}

/** Gives up to `count` hosts back to all, at one place. False if there was none, or something has changed meanwhile. */
async function giveBack(
  deps: Deps,
  kept: Kept,
  counters: Item | undefined,
  count: number,
  allocation?: Allocation,
): Promise<boolean> {
  const most = Math.min(count, hostsPerTransaction);
  for (const place of placesIn(counters)) {
    const hosts = await findFree(deps.store, place, most, new Set(), deps.random, kept.allocation);
    if (hosts.length === 0) continue;
    const tooMany = compare("total", "ge", (allocation?.spec.reserved ?? 0) + hosts.length);
    const isDone = await isWritten(deps.store, [
      ...hosts.map((host) => keepHost(place, host)),
      ...onlyIf(countKept(hosts.map(() => ({ place, kept, free: -1 }))), kept, tooMany),
      ...countFree([[place, hosts.length]]),
      allocation
        ? unchanged(allocation)
        : { check: objectKey("allocation", kept.allocation), if: absent },
    ]);
    if (isDone) await wakeQueues(deps, [hostQueue(place.hostType)], place.hub);
    return isDone;
  }
  return false;
}

/** An allocation was deleted: what it has kept is free for all, and its counters go. */
async function giveAllBack(deps: Deps, id: string, known: Item | undefined): Promise<void> {
  let counters = known;
  const kept = { allocation: id, tenant: String(counters?.tenant) };
  for (let n = 0; counters && allocationHosts(counters).free > 0; n++) {
    // The relay comes again.
    if (n === 100) throw new AppError("Unavailable", `allocation '${id}' is given back too slowly`);
    await giveBack(deps, kept, counters, hostsPerTransaction);
    counters = await deps.store.get(allocationHostsKey(id));
  }
  if (!counters) return;
  for (const place of placesIn(counters)) await isWritten(deps.store, [forgetKept(place, kept)]);
  const isUnused = any(lacks("total"), compare("total", "le", 0));
  await isWritten(deps.store, [{ delete: allocationHostsKey(id), if: isUnused }]);
}

/** The condition on the counters of the allocation. */
const onlyIf = (writes: Write[], kept: Kept, condition: Update["if"] & object): Write[] =>
  writes.map((write) =>
    "update" in write && write.update.pk === allocationHostsKey(kept.allocation).pk
      ? { ...write, if: condition }
      : write,
  );

const unchanged = ({ id, revision }: Allocation): Write => ({
  check: objectKey("allocation", id),
  if: eq("revision", revision),
});

/** Takes a ticket for each of its types while it lacks hosts, and drops them once it lacks none. */
async function standInLine(
  deps: Deps,
  allocation: Allocation,
  lacking: number,
  plans: ReadonlyMap<string, Plan>,
): Promise<{ isNew: boolean; raises: Raised[] }> {
  const names = allocation.host_types.map(hostQueue);
  const standing = await ticketsIn(deps.store, names, allocation);
  const writes: Write[] = [];
  const raises: Raised[] = [];
  for (const hostType of allocation.host_types) {
    const queueName = hostQueue(hostType);
    const held = standing.get(queueName);
    if (lacking <= 0) {
      if (held) writes.push({ delete: ticketKeyOf(queueName, allocation) });
      continue;
    }
    const raised = await raisedFor(deps, allocation, hostType, lacking, plans.get(hostType));
    raises.push(raised);
    const demand = soughtBy(allocation, hostType);
    const ticket = takeTicket(queueName, allocation, {
      allocation: allocation.id,
      where: { tenant: demand.owner.tenant, ...demand.where },
      needs: { [hostType]: 1 },
      ...(raised && { raises: raised }),
    });
    if (!isDeepStrictEqual(ticket.put, held)) writes.push(ticket);
  }
  // Who changes what it has, or is to have, has it filled again.
  const { reserved } = allocation.spec;
  const stillLacks = any(lacks("total"), compare("total", "lt", reserved));
  const still = lacking > 0 ? stillLacks : compare("total", "ge", reserved);
  if (writes.length > 0)
    await isWritten(deps.store, [
      ...oncePerCounter(writes),
      unchanged(allocation),
      { check: allocationHostsKey(allocation.id), if: still },
    ]);
  return { isNew: writes.some((write) => "put" in write), raises };
}

async function raisedFor(
  deps: Deps,
  allocation: Allocation,
  hostType: string,
  lacking: number,
  found: Plan | undefined,
): Promise<Raised> {
  if (!found) return undefined;
  const demand = soughtBy(allocation, hostType);
  const where = { tenant: demand.owner.tenant, ...demand.where };
  const hubs = found.looked.filter((each) => couldServe(each, { where, needs: { [hostType]: 1 } }));
  const wanted = { lacking: new Map([[hostType, lacking]]), ahead: found.ahead };
  const at = await raisedAt(deps, allocation, { demand, placement: undefined }, hubs, wanted);
  return at === undefined ? undefined : { hub: at, hosts: { [hostType]: lacking } };
}

/** The counters of a new allocation. */
export const openCounters = (id: string, tenant: string): Write => ({
  put: { ...allocationHostsKey(id), tenant, total: 0, used: 0 },
  if: absent,
});
