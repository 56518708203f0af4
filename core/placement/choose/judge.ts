import type { HostId } from "../../id.ts";
import type { Deps } from "../../kernel/deps.ts";
import type { Placement, RejectedHub } from "../../kernel/object/traits.ts";
import {
  type Candidate,
  type Choice,
  capacityOf,
  chooseHub,
  type Needs,
} from "../hubs/candidate.ts";
import type { Racks } from "../pool/host.ts";
import { reservedOf } from "../pool/reserved.ts";
import { contended, hostQueue, slotQueue, type TicketsAhead } from "../queues/tickets.ts";
import { constraintsOf, type HostSearch, lackingHosts, needsOf, totals } from "./demand.ts";
import { allocationsOfFree, assign, type FreeByType, freeOn, reservedOn } from "./free-hosts.ts";
import { freeInWords, queueText } from "./waiting-text.ts";

/** Judges hubs for a demand: finds those with everything that the demand lacks, and the reasons against the others. */

export interface FoundHub {
  candidate: Candidate;
  /** The hosts by set. */
  hosts: Map<string, HostId[]>;
  /** The allocations of those hosts that are reserved for the tenant. */
  allocations: ReadonlyMap<HostId, string>;
  reason: string;
}

export interface Judged {
  found?: FoundHub;
  rejected: RejectedHub[];
  /** The queues in which the owner has to wait, according to these hubs. */
  scarce: Set<string>;
  /** The number of hubs that the owner could use if they had enough free capacity. */
  fitting: number;
  /** Whether some hub would fit if it had another free slot. */
  wantsSlot: boolean;
}

/** The data by which hubs are judged, besides the demand. */
export interface Situation {
  placement: Placement | undefined;
  /** Hosts that others have claimed since earlier plans. */
  taken: ReadonlySet<string>;
  ahead: TicketsAhead;
}

/** The search for hosts, for each hub. */
interface Lacking {
  demand: HostSearch;
  /** The hosts that the owner lacks, by type. */
  types: Map<string, number>;
  taken: ReadonlySet<string>;
}

/** Judges these hubs, best first, until one has everything now. `earlier`: the judgement of hubs before these. */
export async function judge(
  deps: Deps,
  demand: HostSearch,
  situation: Situation,
  hubs: Candidate[],
  earlier?: readonly Judged[],
): Promise<Judged> {
  const { placement, taken } = situation;
  const sets = lackingHosts(demand.wants, placement);
  const lacking: Lacking = { demand, types: totals(sets), taken };
  const { fitting, rejected, wantsSlot } = ranked(deps, lacking, placement, hubs);
  const queues = await queuesAhead(lacking, situation, fitting);
  const needs = needsOf(demand, placement);
  const scarce = new Set<string>();
  const judged = { rejected, scarce, fitting: fitting.length, wantsSlot };
  for (const candidate of fitting) {
    for (const type of tooFewOf(candidate, needs)) scarce.add(hostQueue(type));
    const offer = await offerOf(deps, lacking, candidate, queues.get(candidate.hub.id));
    if ("free" in offer) {
      const hosts = assign(sets, offer.free);
      const reason = reasonFor(candidate, fitting, demand, earlier);
      return {
        ...judged,
        found: { candidate, hosts, allocations: allocationsOfFree(offer.free), reason },
      };
    }
    for (const queueName of offer.queues) scarce.add(queueName);
    rejected.push({ hub: candidate.hub.id, reason: offer.reason });
  }
  return judged;
}

/** The hubs that fit, best first; hubs with enough hosts reserved for the tenant come before others. */
function ranked(
  { clock }: Pick<Deps, "clock">,
  { demand, types }: Lacking,
  placement: Placement | undefined,
  hubs: Candidate[],
): Choice {
  const choice = placement
    ? itsHub(hubs, placement)
    : chooseHub(hubs, constraintsOf(demand, placement), clock.now(), demand.slot);
  const fitting = reservedFirst(choice.fitting, (each) =>
    [...types.keys()].every((type) => hasReserved(each, type, { demand, types })),
  );
  return { ...choice, fitting };
}

/** The hubs where earlier tickets wait for things that the owner lacks, each with the queue. */
const queuesAhead = (
  { demand, types }: Lacking,
  { placement, ahead }: Situation,
  fitting: Candidate[],
): Promise<Map<string, string>> =>
  contended(
    ahead,
    [...(placement || !demand.slot ? [] : [slotQueue]), ...[...types.keys()].map(hostQueue)],
    fitting,
    {
      ...(!demand.free && { tenant: demand.owner.tenant }),
      // A tenant waits behind nobody for the hosts that are reserved for it.
      spared: (candidate, queueName) =>
        [...types.keys()].some(
          (type) =>
            hostQueue(type) === queueName && hasReserved(candidate, type, { demand, types }),
        ),
    },
  );

/** Everything that the owner lacks, from one hub; or the hub's shortages, with the queues for them. */
type Offer = { free: FreeByType } | { reason: string; queues: string[] };

/** `queued`: the queue in which earlier tickets wait at this hub. */
async function offerOf(
  deps: Deps,
  { demand, types, taken }: Lacking,
  candidate: Candidate,
  queued: string | undefined,
): Promise<Offer> {
  const own =
    queued === undefined ? undefined : await reservedOn(deps, candidate, types, taken, demand);
  if (queued !== undefined && !own)
    return { reason: `earlier orders wait there for ${queueText(queued)}`, queues: [queued] };
  const free = own ?? (await freeOn(deps, candidate, types, taken, demand));
  const missing = [...types].filter(([type, count]) => (free.get(type)?.length ?? 0) < count);
  if (missing.length === 0) return { free };
  const reasons = missing.map(([type, count]) =>
    demand.racks
      ? rackShortage[demand.racks](count, type)
      : freeInWords(type, { free: free.get(type)?.length ?? 0, count }),
  );
  return { reason: reasons.join(", "), queues: missing.map(([type]) => hostQueue(type)) };
}

/** Whether a hub has as many hosts of a type reserved for the tenant as the owner lacks, for demands without racks. */
const hasReserved = (
  candidate: Candidate,
  type: string,
  { demand, types }: Pick<Lacking, "demand" | "types">,
): boolean =>
  !demand.free &&
  !demand.racks &&
  reservedOf(candidate.reserved, type, demand.owner.tenant) >= (types.get(type) ?? 0);

const rackShortage: Record<Racks, (count: number, type: string) => string> = {
  same: (count, type) => `no rack has ${count} ${type} hosts free`,
  spread: (count, type) => `fewer than ${count} racks have a ${type} host free`,
};

/** The hubs in this order, but those with enough reserved hosts first. */
function reservedFirst(
  hubs: readonly Candidate[],
  isEnough: (candidate: Candidate) => boolean,
): Candidate[] {
  const [enough, others] = [hubs.filter(isEnough), hubs.filter((each) => !isEnough(each))];
  return [...enough, ...others];
}

/** A placed owner stays on its hub. */
const itsHub = (hubs: Candidate[], placement: Placement): Choice => ({
  fitting: hubs.filter(({ hub }) => hub.id === placement.hub),
  rejected: [],
  wantsSlot: false,
});

/** The types of which a hub has too few hosts in total. Releases cannot help; the hub needs more hosts. */
const tooFewOf = ({ hosts }: Candidate, needs: Needs): string[] =>
  Object.entries(needs).flatMap(([type, count]) => ((hosts[type] ?? 0) < count ? [type] : []));

/**
 * The reason for the choice of this hub. `fitting` is sorted best first. At better hubs, earlier tickets wait or hosts
 * are lacking. Among many hubs (`earlier`), only some were judged.
 */
function reasonFor(
  chosen: Candidate,
  fitting: Candidate[],
  { owner: { tenant }, slot }: HostSearch,
  earlier: readonly Judged[] | undefined,
): string {
  const { hub, used } = chosen;
  const before = (earlier ?? []).reduce((sum, each) => sum + each.fitting, 0);
  const rank = before === 0 && fitting.indexOf(chosen) === 0 ? "least loaded" : "next";
  const suffix = earlier ? " that were checked" : "";
  const why = hub.spec.tenants?.includes(tenant)
    ? `reserved for ${tenant}, ${rank}`
    : `${rank} of ${before + fitting.length} suitable hubs${suffix}`;
  return slot ? `${why}: ${used} of ${capacityOf(hub)} control planes in use` : why;
}
