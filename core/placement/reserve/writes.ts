import { isDeepStrictEqual } from "node:util";
import { bounds, cut } from "../../bounds.ts";
import { timestamp } from "../../clock.ts";
import { asHubId, type HostId } from "../../id.ts";
import { dropTicket, ticketsIn } from "../../kernel/claim/ticket.ts";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import { allocationHostsKey, slotsKey } from "../../kernel/object/hub-keys.ts";
import { objectKey } from "../../kernel/object/keys.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import { objectIn, type Records } from "../../kernel/object/records.ts";
import type { PlacedKind, Placement, RejectedHub } from "../../kernel/object/traits.ts";
import type { Operation } from "../../kernel/saga/operation.ts";
import { oncePerCounter } from "../../kernel/store/once-per-counter.ts";
import {
  any,
  type Check,
  compare,
  eq,
  lacks,
  transactionLimit,
  type Write,
} from "../../kernel/store/store.ts";
import {
  constraintsOf,
  type Demand,
  lackingHosts,
  needsOf,
  type Placing,
  totals,
} from "../choose/demand.ts";
import type { FoundHub } from "../choose/judge.ts";
import type { Plan } from "../choose/plan.ts";
import { type HostOfSet, hostsOfOwner } from "../choose/together.ts";
import { capacityOf } from "../hubs/candidate.ts";
import type { Hub } from "../hubs/hub.ts";
import { claimHost, hostsPerTransaction, type PoolPlace } from "../pool/entries.ts";
import { countClaimed } from "../pool/host-counts.ts";
import { hostQueue, type Ticket, takeTicket } from "../queues/tickets.ts";

/** The writes of a reservation: claims of hosts and of a slot, and tickets of operations that wait. */

/** The owner that reserves, and its demand. */
export interface ReserveRequest<K extends PlacedKind> extends Placing<K> {
  id: string;
  /** The owner's demand, from its present record. */
  demand(object: ObjectOf[K]): Demand;
  /**
   * The owners that must be placed with it, all or none, in their present state; absent for an owner that is placed
   * alone.
   */
  others?(object: ObjectOf[K]): Promise<Other<K>[]>;
  operation: Operation;
  step: string;
  fence: Check[];
}

/** An owner that is placed with another one, and the conditions under which it still waits. */
export interface Other<K extends PlacedKind> {
  object: ObjectOf[K];
  stillWaits: Check;
}

/** The owner's record, the owners placed with it, and the demand of all. */
export interface Asking<K extends PlacedKind> {
  object: ObjectOf[K];
  others: Other<K>[];
  placement: Placement | undefined;
  demand: Demand;
}

/** The queues for hosts of the types that the owner lacks. */
export const lackingQueues = ({ wants }: Demand, placement: Placement | undefined): string[] =>
  [...totals(lackingHosts(wants, placement)).keys()].map(hostQueue);

/**
 * The writes of a reservation. A demand that does not fit into one transaction is claimed in chunks: the next round
 * claims the rest, on the hub that is now the owner's own. The operation keeps its tickets until the last chunk, so it
 * stays first in the queues meanwhile.
 */
export async function reservationWrites<K extends PlacedKind>(
  deps: Deps,
  request: ReserveRequest<K>,
  { object, others, placement: before, demand }: Asking<K>,
  { found, rejected }: Pick<Plan, "rejected"> & { found: FoundHub },
): Promise<Write[]> {
  const { hub } = found.candidate;
  const now = deps.clock.now();
  const all = [...found.hosts].flatMap(([set, hosts]) => hosts.map((host) => ({ set, host })));
  const chunk = all.slice(0, chunkSize(demand, found));
  const first = before ?? newPlacement(found, rejected, demand, now);
  const shares = others.map((other) => ({ ...other, hosts: hostsOfOwner(other.object.id, all) }));
  const ofOthers = new Map(
    shares.flatMap(({ object: { id }, hosts }) => hosts.map(({ host }) => [host, id])),
  );
  const own = chunk.filter(({ host }) => !ofOthers.has(host));
  const placement = extended(first, own, found);
  const put = (owner: ObjectOf[K], to: Placement): Write[] =>
    written(deps, owner, request.placed(owner, to, hub)).writes;
  const writes = [
    // Owners that are placed together may have the same uses.
    ...oncePerCounter([
      ...put(object, placement),
      ...shares.flatMap(({ object: other, stillWaits, hosts }) => [
        stillWaits,
        ...put(other, extended(first, hosts, found)),
      ]),
    ]),
    ...stillReserved(
      hostClaims(demand, found, chunk, ofOthers),
      await claimedOf(deps, found, chunk),
    ),
    ...(before ? [] : [...(demand.slot ? [slotClaim(hub)] : []), stillOpen(hub)]),
  ];
  if (chunk.length === all.length)
    writes.push(...(await ticketWrites(deps, request, demand, placement, new Set())));
  else if (!before) {
    const short = new Set(lackingQueues(demand, undefined));
    writes.push(...(await ticketWrites(deps, request, demand, placement, short)));
  }
  return writes;
}

/**
 * The writes for each allocation whose hosts are claimed. The number of hosts in one transaction is limited by these,
 * and by the fence, the owner, its hub, the slot, the count of free hosts, and a ticket for each queue.
 */
const writesPerAllocation = 4;

function chunkSize({ queues }: Demand, { allocations }: FoundHub): number {
  const ofReserved =
    allocations.size === 0 ? 0 : 1 + writesPerAllocation * new Set(allocations.values()).size;
  return Math.min(hostsPerTransaction, transactionLimit - 5 - queues.length - ofReserved);
}

/** The rejected hubs to store: the first of them, with shortened reasons. */
export const firstRejected = (rejected: readonly RejectedHub[]): RejectedHub[] =>
  rejected.slice(0, 20).map((each) => ({ ...each, reason: cut(each.reason, bounds.line) }));

const newPlacement = (
  { candidate, reason }: FoundHub,
  rejected: RejectedHub[],
  { slot }: Demand,
  now: number,
): Placement => ({
  hub: asHubId(candidate.hub.id),
  at: timestamp(now),
  reason: cut(reason, bounds.reason),
  rejected: firstRejected(rejected),
  hosts: {},
  ...(!slot && { slotless: true }),
});

function extended(placement: Placement, chunk: HostOfSet[], found: FoundHub): Placement {
  const hosts = { ...placement.hosts };
  const kept = { ...placement.kept };
  for (const { set, host } of chunk) {
    hosts[set] = [...(hosts[set] ?? []), host];
    const allocation = found.allocations.get(host);
    if (allocation !== undefined) kept[host] = allocation;
  }
  return { ...placement, hosts, ...(Object.keys(kept).length > 0 && { kept }) };
}

function hostClaims(
  { owner, wants }: Demand,
  { candidate: { hub }, allocations }: FoundHub,
  chunk: HostOfSet[],
  ofOthers: ReadonlyMap<HostId, string>,
): Write[] {
  const types = new Map(wants.map(({ set, hostType }) => [set, hostType]));
  const placeOf = (set: string): PoolPlace => ({ hub: hub.id, hostType: types.get(set) ?? "" });
  const claimed = chunk.map(({ set, host }) => {
    const allocation = allocations.get(host);
    const by = allocation === undefined ? undefined : { allocation, tenant: owner.tenant };
    return { host, place: placeOf(set), reservedFor: by };
  });
  return [
    ...claimed.map(({ host, place, reservedFor }) =>
      claimHost(place, host, { ...owner, id: ofOthers.get(host) ?? owner.id }, reservedFor),
    ),
    ...countClaimed(claimed),
  ];
}

/** An allocation whose hosts are claimed, and their number. */
interface ClaimedOf {
  id: string;
  allocation: ObjectOf["allocation"] | undefined;
  count: number;
}

async function claimedOf(
  records: Records,
  { allocations }: FoundHub,
  chunk: HostOfSet[],
): Promise<ClaimedOf[]> {
  const ids = chunk.flatMap(({ host }) => allocations.get(host) ?? []);
  if (ids.length === 0) return [];
  const counts = [...Map.groupBy(ids, (id) => id)];
  const items = await records.store.getMany(counts.map(([id]) => objectKey("allocation", id)));
  return counts.map(([id, { length: count }], n) => {
    const item = items[n];
    return { id, count, allocation: item && objectIn<"allocation">(records.kinds, item) };
  });
}

/** The claims, which fail if the allocation would have more hosts in use than it may. */
const stillReserved = (claims: Write[], allocations: ClaimedOf[]): Write[] => [
  // A deleted allocation needs no check, because its closed use counters make the claim fail.
  ...allocations.flatMap(({ id, allocation: of }) =>
    of ? [{ check: objectKey("allocation", id), if: eq("revision", of.revision) }] : [],
  ),
  ...claims.map((write) => {
    if (!("update" in write)) return write;
    const of = allocations.find(({ id }) => allocationHostsKey(id).pk === write.update.pk);
    const most = (of?.allocation?.spec.reserved ?? 0) - (of?.count ?? 0);
    return of ? { ...write, if: any(lacks("used"), compare("used", "le", most)) } : write;
  }),
];

const slotClaim = (hub: Hub): Write => ({
  update: slotsKey(hub.id),
  add: { used: 1 },
  if: any(lacks("used"), compare("used", "lt", capacityOf(hub))),
});

/** Fails if the hub was removed or changed (such as cordoned) since it was chosen; then another hub is chosen. */
const stillOpen = (hub: Hub): Write => ({
  check: objectKey("hub", hub.id),
  if: eq("generation", hub.generation),
});

/**
 * Takes a ticket in each of these queues, and drops those in others. Unchanged tickets are not written: no other
 * attempt changes them, because this one is the newest. `at` is the hub whose hot pools should scale up for the
 * tickets.
 */
export async function ticketWrites(
  { store }: Deps,
  { operation, step }: Pick<ReserveRequest<PlacedKind>, "operation" | "step">,
  demand: Demand,
  placement: Placement | undefined,
  queues: ReadonlySet<string>,
  raises?: Ticket["raises"],
): Promise<Write[]> {
  const where = constraintsOf(demand, placement);
  const ticket = {
    operation: operation.id,
    step,
    where,
    needs: needsOf(demand, placement),
    ...(demand.racks && { racks: demand.racks }),
    ...(raises && { raises }),
  };
  const names = new Set([...queues, ...demand.queues]);
  const standing = await ticketsIn(store, names, operation);
  return [...names].flatMap((name): Write[] => {
    const held = standing.get(name);
    if (!queues.has(name)) return held ? [dropTicket(name, operation)] : [];
    const taken = takeTicket(name, operation, ticket);
    return isDeepStrictEqual(taken.put, held) ? [] : [taken];
  });
}
