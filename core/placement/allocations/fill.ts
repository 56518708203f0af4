import { allocationHostsKey } from "../../kernel/object/hub-keys.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import { load } from "../../kernel/object/records.ts";
import type { RecheckDeps } from "../../kernel/saga/rechecks.ts";
import type { Item } from "../../kernel/store/store.ts";
import { type Plan, plan } from "../choose/plan.ts";
import type { PoolPlace } from "../pool/entries.ts";
import { allocationCounts } from "../pool/reserved.ts";
import { allocationFor, releaseAll, releaseHosts, reserveHosts } from "./move-hosts.ts";
import { type ScaleUp, searchOf, updateTickets } from "./queue.ts";

/**
 * Brings an allocation to its desired number of hosts: reserves free hosts, releases surplus ones, and takes tickets in
 * the queues for those that it lacks. It depends only on records and counters, so anybody may run it at any time; the
 * relay does after each change of the allocation or of its counters.
 */

type Allocation = ObjectOf["allocation"];

/** The most moves of hosts while others claim the same ones; then the allocation waits, as an order does. */
const tries = 60;

/** Fills an allocation. Answers the hot pools that should discover the hosts that it lacks. */
export async function fillAllocation(deps: RecheckDeps, id: string): Promise<ScaleUp[]> {
  const taken = new Set<string>();
  const first = await moveThenQueue(deps, id, taken, tries);
  if (!first.hasNewTicket || first.left === 0) return first.scaleUps;
  // A host that was freed between the search and the write of the ticket has not woken the allocation, so it
  // searches again.
  return (await moveThenQueue(deps, id, taken, first.left - 1)).scaleUps;
}

interface Filled {
  /** The number of moves that are left. */
  left: number;
  hasNewTicket: boolean;
  scaleUps: ScaleUp[];
}

const nothingToQueue: Filled = { left: 0, hasNewTicket: false, scaleUps: [] };

/** Moves hosts, at most `moves` times, until there are none to move; then updates the allocation's tickets. */
async function moveThenQueue(
  deps: RecheckDeps,
  id: string,
  taken: Set<string>,
  moves: number,
): Promise<Filled> {
  for (let left = moves; ; left--) {
    const balance = await balanceOf(deps, id);
    if (!balance) return nothingToQueue;
    const outcome = await move(deps, balance, taken, left > 0);
    if (outcome === "refused") return nothingToQueue;
    if (outcome !== "moved") {
      const { allocation, lacking } = balance;
      return { left, ...(await updateTickets(deps, allocation, lacking, outcome.plans)) };
    }
  }
}

/** An allocation, and the number of hosts that it lacks; negative for surplus hosts. */
interface Balance {
  allocation: Allocation;
  counters: Item | undefined;
  free: number;
  lacking: number;
}

/** Undefined for a deleted allocation; its hosts are released here. */
async function balanceOf(deps: RecheckDeps, id: string): Promise<Balance | undefined> {
  const allocation = await load(deps, "allocation", id);
  const counters = await deps.store.get(allocationHostsKey(id));
  if (!allocation) {
    await releaseAll(deps, id, counters);
    return undefined;
  }
  const { free, used } = allocationCounts(counters);
  return { allocation, counters, free, lacking: allocation.spec.reserved - free - used };
}

/** Moves hosts once, if possible; otherwise answers the result of the search for them. */
async function move(
  deps: RecheckDeps,
  { allocation, counters, free, lacking }: Balance,
  taken: Set<string>,
  mayMove: boolean,
): Promise<"moved" | "refused" | SearchResult> {
  if (lacking < 0 && free > 0 && mayMove) {
    const count = Math.min(free, -lacking);
    const of = allocationFor(allocation);
    return (await releaseHosts(deps, of, counters, count, allocation)) ? "moved" : "refused";
  }
  if (lacking <= 0) return { plans: new Map() };
  const found = await search(deps, allocation, taken);
  if (!found.place || !mayMove) return found;
  await reserveHosts(deps, allocation, found.place, lacking, taken);
  return "moved";
}

interface SearchResult {
  /** A place with free hosts that no earlier ticket waits for. */
  place?: PoolPlace;
  /** The plans of the searches that found no place, by host type. */
  plans: Map<string, Plan>;
}

async function search(
  deps: RecheckDeps,
  allocation: Allocation,
  taken: ReadonlySet<string>,
): Promise<SearchResult> {
  const plans = new Map<string, Plan>();
  for (const hostType of allocation.host_types) {
    const planning = { operation: allocation, placement: undefined, taken };
    const found = await plan(deps, searchOf(allocation, hostType), planning);
    if (found.found) return { place: { hub: found.found.candidate.hub.id, hostType }, plans };
    plans.set(hostType, found);
  }
  return { plans };
}
