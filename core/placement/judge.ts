import type { HostId } from "../id.ts";
import type { Deps } from "../kernel/deps.ts";
import type { Placement, RejectedHub } from "../kernel/object/traits.ts";
import type { Store } from "../kernel/store/store.ts";
import { type Candidate, type Choice, capacityOf, chooseHub, type Needs } from "./choose.ts";
import { constraintsOf, lackingHosts, needsOf, type Sought, totals } from "./demand.ts";
import type { Racks } from "./host.ts";
import { type KeptCount, keptOf } from "./kept.ts";
import { type FreeHost, findFree } from "./pool.ts";
import { findInRacks, findKeptInRacks } from "./racks.ts";
import { contended, hostQueue, slotQueue, type TicketsAhead } from "./tickets.ts";
import { freeInWords, named } from "./words.ts";

/** Judges hubs for a demand: which of them has everything that it lacks, and why the others have not. */

export interface Found {
  candidate: Candidate;
  /** The hosts by set. */
  hosts: Map<string, HostId[]>;
  /** The allocations that keep those of them for the tenant which are not free for all. */
  kept: ReadonlyMap<HostId, string>;
  reason: string;
}

export interface Judged {
  found?: Found;
  rejected: RejectedHub[];
  /** The queues in which the owner has to wait, as far as these hubs tell. */
  short: Set<string>;
  /** The number of hubs that the owner could use if enough were free there. */
  fitting: number;
  /** Whether some hub would fit if it had room for another control plane. */
  wantsSlot: boolean;
}

/** What hubs are judged by, beside the demand. */
export interface Situation {
  placement: Placement | undefined;
  /** Hosts that others have claimed since earlier plans. */
  taken: ReadonlySet<string>;
  ahead: TicketsAhead;
}

/** Judges these hubs, best first, until one has everything now. `earlier`: of hubs judged before. */
export async function judge(
  deps: Deps,
  demand: Sought,
  { placement, taken, ahead }: Situation,
  hubs: Candidate[],
  earlier?: readonly Judged[],
): Promise<Judged> {
  const lacking = lackingHosts(demand.wants, placement);
  const needs = needsOf(demand, placement);
  const choice = placement
    ? itsHub(hubs, placement)
    : chooseHub(hubs, constraintsOf(demand, placement), deps.clock.now(), demand.slot);
  const { wantsSlot } = choice;
  const rejected = [...choice.rejected];
  const short = new Set<string>();
  const judged = { rejected, short, fitting: choice.fitting.length, wantsSlot };
  const types = totals(lacking);
  const { tenant } = demand.owner;
  const sufficient = (candidate: Candidate, type: string): boolean =>
    !demand.free && !demand.racks && keptOf(candidate.kept, type, tenant) >= (types.get(type) ?? 0);
  const fitting = keptFirst(choice.fitting, (each) =>
    [...types.keys()].every((type) => sufficient(each, type)),
  );
  const others = await contended(
    ahead,
    [...(placement || !demand.slot ? [] : [slotQueue]), ...[...types.keys()].map(hostQueue)],
    fitting,
    {
      ...(!demand.free && { tenant }),
      // Nobody waits before a tenant for what is kept for it.
      spared: (candidate, queueName) =>
        [...types.keys()].some(
          (type) => hostQueue(type) === queueName && sufficient(candidate, type),
        ),
    },
  );

  for (const candidate of fitting) {
    for (const type of tooFewOf(candidate, needs)) short.add(hostQueue(type));
    const queued = others.get(candidate.hub.id);
    const own = queued && (await keptOn(deps, candidate, types, taken, demand));
    if (queued !== undefined && !own) {
      rejected.push({ hub: candidate.hub.id, reason: `others wait there for ${named(queued)}` });
      short.add(queued);
      continue;
    }
    const free = own || (await freeOn(deps, candidate, types, taken, demand));
    const missing = [...types].filter(([type, count]) => (free.get(type)?.length ?? 0) < count);
    if (missing.length === 0) {
      const hosts = assign(lacking, free);
      const kept = new Map(
        [...free.values()]
          .flat()
          .flatMap(({ id, kept }) => (kept === undefined ? [] : [[id, kept.allocation]])),
      );
      const reason = reasonFor(candidate, fitting, demand, earlier);
      return { ...judged, found: { candidate, hosts, kept, reason } };
    }
    for (const [type] of missing) short.add(hostQueue(type));
    const reason = missing.map(([type, count]) =>
      demand.racks
        ? notStanding[demand.racks](count, type)
        : freeInWords(type, { free: free.get(type)?.length ?? 0, count }),
    );
    rejected.push({ hub: candidate.hub.id, reason: reason.join(", ") });
  }
  return judged;
}

const notStanding: Record<Racks, (count: number, type: string) => string> = {
  same: (count, type) => `no rack has ${count} ${type} hosts free`,
  spread: (count, type) => `fewer than ${count} racks have a ${type} host free`,
};

/** The hubs in this order, but first those on which enough is kept for the tenant. */
function keptFirst(
  hubs: readonly Candidate[],
  isEnough: (candidate: Candidate) => boolean,
): Candidate[] {
  const [enough, others] = [hubs.filter(isEnough), hubs.filter((each) => !isEnough(each))];
  return [...enough, ...others];
}

/** A placed owner has no choice of hubs. */
const itsHub = (hubs: Candidate[], placement: Placement): Choice => ({
  fitting: hubs.filter(({ hub }) => hub.id === placement.hub),
  rejected: [],
  wantsSlot: false,
});

/** The types of which a hub has too few hosts in all: only more hosts can help, not releases. */
const tooFewOf = ({ hosts }: Candidate, needs: Needs): string[] =>
  Object.entries(needs).flatMap(([type, count]) => ((hosts[type] ?? 0) < count ? [type] : []));

/**
 * Why this hub was chosen. `fitting` is sorted best first; others wait at the hubs before this one, or
 * those hubs lack hosts. Where there are many hubs (`earlier`), only some were looked at.
 */
function reasonFor(
  chosen: Candidate,
  fitting: Candidate[],
  { owner: { tenant }, slot }: Sought,
  earlier: readonly Judged[] | undefined,
): string {
  const { hub, used } = chosen;
  const before = (earlier ?? []).reduce((sum, each) => sum + each.fitting, 0);
  const rank = before === 0 && fitting.indexOf(chosen) === 0 ? "least loaded" : "next";
  const looked = earlier ? " that were looked at" : "";
  const why = hub.spec.tenants?.includes(tenant)
    ? `kept for ${tenant}, ${rank}`
    : `${rank} of ${before + fitting.length} fitting hubs${looked}`;
  return slot ? `${why}: ${used} of ${capacityOf(hub)} control planes in use` : why;
}

/** Free hosts by type. */
type Free = Map<string, FreeHost[]>;

/** What allocations keep of a type on a hub for the tenant of a demand, if it may have that. */
const ownOf = ({ kept = [] }: Candidate, type: string, { owner, free }: Sought): KeptCount[] =>
  kept.filter(({ hostType, tenant }) => !free && hostType === type && tenant === owner.tenant);

/** Hosts that the tenant can claim on a hub: first those that are kept for it. */
async function freeOn(
  { store, random }: { store: Store; random: () => number },
  candidate: Candidate,
  types: Map<string, number>,
  taken: ReadonlySet<string>,
  demand: Sought,
): Promise<Free> {
  const free: Free = new Map();
  for (const [hostType, count] of types) {
    const place = { hub: candidate.hub.id, hostType };
    const own = ownOf(candidate, hostType, demand);
    const { racks } = demand;
    if (racks) {
      free.set(hostType, await findInRacks(store, place, { racks, count, own }, taken));
      continue;
    }
    // By id: a host may go from what is kept to what is free for all between two reads. The later read holds.
    const found = new Map<HostId, FreeHost>();
    for (const allocation of [...own.map((each) => each.allocation), undefined]) {
      if (found.size === count) break;
      const more = await findFree(store, place, count - found.size, taken, random, allocation);
      for (const host of more) found.set(host.id, host);
    }
    free.set(hostType, [...found.values()]);
  }
  return free;
}

/**
 * All hosts of a demand for racks from those that are kept for the tenant, for which it waits behind nobody; undefined
 * where these are not enough. Of other demands the counts alone tell whether they are, so that nobody is before them then.
 */
async function keptOn(
  { store }: { store: Store },
  candidate: Candidate,
  types: Map<string, number>,
  taken: ReadonlySet<string>,
  demand: Sought,
): Promise<Free | undefined> {
  const { racks } = demand;
  if (!racks || demand.slot) return undefined;
  const free: Free = new Map();
  for (const [hostType, count] of types) {
    const place = { hub: candidate.hub.id, hostType };
    const own = ownOf(candidate, hostType, demand);
    const found = await findKeptInRacks(store, place, { racks, count, own }, taken);
    if (found.length < count) return undefined;
    free.set(hostType, found);
  }
  return free;
}

/** Assigns the found hosts to the sets; sets of one type share the found hosts. */
function assign(
  lacking: ReturnType<typeof lackingHosts>,
  free: Map<string, FreeHost[]>,
): Map<string, HostId[]> {
  const left = new Map([...free].map(([type, hosts]) => [type, hosts.map(({ id }) => id)]));
  return new Map(
    [...lacking].map(([set, { hostType, count }]) => [
      set,
      left.get(hostType)?.splice(0, count) ?? [],
    ]),
  );
}
