import type { HostId } from "../id.ts";
import type { Deps } from "../kernel/deps.ts";
import type { Placement, RejectedHub } from "../kernel/object/traits.ts";
import type { Operation } from "../kernel/saga/operation.ts";
import type { Store } from "../kernel/store/store.ts";
import { type Candidate, type Choice, capacityOf, chooseHub, type Needs } from "./choose.ts";
import { constraintsOf, type Demand, lackingHosts, needsOf, totals } from "./demand.ts";
import { candidates } from "./hubs.ts";
import { findFree } from "./pool.ts";
import { contended, hostQueue, hubQueue, slotQueue } from "./tickets.ts";
import { named } from "./words.ts";

/**
 * Plans a reservation: finds the best hub that has everything that a demand lacks, or the queues of
 * everything that is short. Only reads.
 */

export interface Found {
  candidate: Candidate;
  /** The hosts by set. */
  hosts: Map<string, HostId[]>;
  reason: string;
  rejected: RejectedHub[];
}

export interface Plan {
  found?: Found;
  rejected: RejectedHub[];
  /** The queues of everything that is short on a hub that the owner could use. */
  short: Set<string>;
  /** Every hub in the state that the plan is based on. */
  everyone: Candidate[];
}

/** The planning owner, and hosts that others have claimed since earlier plans. */
interface Planning {
  operation: Operation;
  placement: Placement | undefined;
  taken: ReadonlySet<string>;
}

/** Plans for the best hub that has everything now. */
export async function plan(
  deps: Deps,
  demand: Demand,
  { operation, placement, taken }: Planning,
): Promise<Plan> {
  const everyone = await candidates(deps);
  const lacking = lackingHosts(demand.wants, placement);
  const needs = needsOf(demand, placement);
  const choice = placement
    ? itsHub(everyone, placement)
    : chooseHub(everyone, constraintsOf(demand, placement), deps.clock.now(), demand.slot);
  const rejected = [...choice.rejected];
  const short = new Set(choice.wantsSlot && choice.fitting.length === 0 ? [slotQueue] : []);
  const types = totals(lacking);
  const others = await contended(
    deps.store,
    [...(placement || !demand.slot ? [] : [slotQueue]), ...[...types.keys()].map(hostQueue)],
    operation,
    choice.fitting,
  );

  for (const candidate of choice.fitting) {
    for (const type of tooFewOf(candidate, needs)) short.add(hostQueue(type));
    const queued = others.get(candidate.hub.id);
    if (queued !== undefined) {
      rejected.push({ hub: candidate.hub.id, reason: `others wait there for ${named(queued)}` });
      short.add(queued);
      continue;
    }
    const free = await freeOn(deps, candidate.hub.id, types, taken);
    const missing = [...types].filter(([type, count]) => (free.get(type)?.length ?? 0) < count);
    if (missing.length === 0) {
      const reason = reasonFor(candidate, choice.fitting, demand);
      const found = { candidate, hosts: assign(lacking, free), reason, rejected };
      return { found, rejected, short, everyone };
    }
    for (const [type] of missing) short.add(hostQueue(type));
    const reason = missing.map(
      ([type, count]) => `${free.get(type)?.length ?? 0} of ${count} ${type} hosts free`,
    );
    rejected.push({ hub: candidate.hub.id, reason: reason.join(", ") });
  }
  // If no hub could ever serve the owner, it waits for any change of hubs.
  if (short.size === 0) short.add(hubQueue);
  return { rejected, short, everyone };
}

/** A placed owner has no choice of hubs. */
const itsHub = (everyone: Candidate[], placement: Placement): Choice => ({
  fitting: everyone.filter(({ hub }) => hub.id === placement.hub),
  rejected: [],
  wantsSlot: false,
});

/** The types of which a hub has too few hosts in all: only more hosts can help, not releases. */
const tooFewOf = ({ hosts }: Candidate, needs: Needs): string[] =>
  Object.entries(needs).flatMap(([type, count]) => ((hosts[type] ?? 0) < count ? [type] : []));

/**
 * Why this hub was chosen. `fitting` is sorted best first; others wait at the hubs before this one, or
 * those hubs lack hosts.
 */
function reasonFor(
  chosen: Candidate,
  fitting: Candidate[],
  { owner: { tenant }, slot }: Demand,
): string {
  const { hub, used } = chosen;
  const rank = fitting.indexOf(chosen) === 0 ? "least loaded" : "next";
  const why = hub.spec.tenants?.includes(tenant)
    ? `kept for ${tenant}, ${rank}`
    : `${rank} of ${fitting.length} fitting hubs`;
  return slot ? `${why}: ${used} of ${capacityOf(hub)} control planes in use` : why;
}

async function freeOn(
  { store, random }: { store: Store; random: () => number },
  hub: string,
  types: Map<string, number>,
  taken: ReadonlySet<string>,
): Promise<Map<string, HostId[]>> {
  const free = new Map<string, HostId[]>();
  for (const [hostType, count] of types) {
    free.set(hostType, await findFree(store, { hub, hostType }, count, taken, random));
  }
  return free;
}

/** Assigns the found hosts to the sets; sets of one type share the found hosts. */
function assign(
  lacking: ReturnType<typeof lackingHosts>,
  free: Map<string, HostId[]>,
): Map<string, HostId[]> {
  const left = new Map([...free].map(([type, hosts]) => [type, [...hosts]]));
  return new Map(
    [...lacking].map(([set, { hostType, count }]) => [
      set,
      left.get(hostType)?.splice(0, count) ?? [],
    ]),
  );
}
