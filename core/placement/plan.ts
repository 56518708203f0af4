import type { Deps } from "../deps.ts";
import type { HostId } from "../id.ts";
import type { Operation } from "../kernel/saga/operation.ts";
import type { Store } from "../kernel/store/store.ts";
import {
  type Cluster,
  knownNodeSets,
  type NodeSets,
  type RejectedHub,
} from "../resources/cluster/model.ts";
import { type Candidate, capacityOf, chooseHub, type Needs, type Wish } from "./choose.ts";
import { candidates } from "./hubs.ts";
import { findFree } from "./pool.ts";
import { contended, hostClass, hubClass, slotClass } from "./tickets.ts";
import { named } from "./words.ts";

/** Planning a reservation: the best hub that has everything an order lacks, or what is short. Reads only. */

/** How many hosts each of these node sets has yet to get. */
export function lackingHosts(
  cluster: Cluster,
  nodeSets: NodeSets,
): Map<string, { hostType: string; count: number }> {
  const lacking = new Map<string, { hostType: string; count: number }>();
  for (const [name, set] of Object.entries(nodeSets)) {
    const count = set.size - (cluster.placement?.hosts[name]?.length ?? 0);
    if (count > 0) lacking.set(name, { hostType: set.host_type.name, count });
  }
  return lacking;
}

export function totals(lacking: ReturnType<typeof lackingHosts>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { hostType, count } of lacking.values())
    sums.set(hostType, (sums.get(hostType) ?? 0) + count);
  return sums;
}

/** Of each type that it lacks, how many hosts its hub must have altogether: with those it holds. */
export function needsOf(cluster: Cluster, nodeSets: NodeSets): Needs {
  const needs = totals(lackingHosts(cluster, nodeSets));
  const known = knownNodeSets(cluster);
  for (const [set, hosts] of Object.entries(cluster.placement?.hosts ?? {})) {
    const type = known[set]?.host_type.name ?? "";
    const lacking = needs.get(type);
    if (lacking !== undefined) needs.set(type, lacking + hosts.length);
  }
  return Object.fromEntries(needs);
}

/** What an order asks of a hub; one that is placed can use its own only. */
export const wishOf = ({ metadata, spec, placement }: Cluster): Wish => ({
  tenant: metadata.tenant,
  ...spec.placement,
  ...(placement ? { hub: placement.hub } : {}),
});

export interface Found {
  candidate: Candidate;
  hosts: Map<string, HostId[]>;
  reason: string;
  rejected: RejectedHub[];
}

export interface Attempt {
  found?: Found;
  rejected: RejectedHub[];
  /** Classes that are short somewhere the order could go. */
  short: Set<string>;
  /** Every hub, as it was then. */
  everyone: Candidate[];
}

/** Looks for the best hub that has everything now. */
export async function plan(
  deps: Deps,
  cluster: Cluster,
  nodeSets: NodeSets,
  operation: Operation,
  taken: ReadonlySet<string>,
): Promise<Attempt> {
  const everyone = await candidates(deps.store);
  const placed = cluster.placement;
  const lacking = lackingHosts(cluster, nodeSets);
  const needs = Object.entries(needsOf(cluster, nodeSets));
  const choice = placed
    ? {
        fitting: everyone.filter(({ hub }) => hub.id === placed.hub),
        rejected: [],
        wantsSlot: false,
      }
    : chooseHub(everyone, wishOf(cluster), deps.clock.now());
  const rejected = [...choice.rejected];
  const short = new Set(choice.wantsSlot && choice.fitting.length === 0 ? [slotClass] : []);
  const types = totals(lacking);
  const others = await contended(
    deps.store,
    [...(placed ? [] : [slotClass]), ...[...types.keys()].map(hostClass)],
    operation,
    choice.fitting,
  );

  for (const candidate of choice.fitting) {
    // Where it has too few of them, whoever waits there, only more hosts can help.
    for (const [type, count] of needs)
      if ((candidate.hosts[type] ?? 0) < count) short.add(hostClass(type));
    const queued = others.get(candidate.hub.id);
    if (queued !== undefined) {
      rejected.push({ hub: candidate.hub.id, reason: `others wait there for ${named(queued)}` });
      short.add(queued);
      continue;
    }
    const free = await freeOn(deps.store, candidate.hub.id, types, taken, deps.random);
    const missing = [...types].filter(([type, count]) => (free.get(type)?.length ?? 0) < count);
    if (missing.length === 0) {
      return {
        found: {
          candidate,
          hosts: assign(lacking, free),
          reason: reasonFor(candidate, choice.fitting, operation.metadata.tenant),
          rejected,
        },
        rejected,
        short,
        everyone,
      };
    }
    for (const [type] of missing) short.add(hostClass(type));
    const reason = missing.map(
      ([type, count]) => `${free.get(type)?.length ?? 0} of ${count} ${type} hosts free`,
    );
    rejected.push({ hub: candidate.hub.id, reason: reason.join(", ") });
  }
  // With no hub that could take it at all, any change to hubs is what it waits for.
  if (short.size === 0) short.add(hubClass);
  return { rejected, short, everyone };
}

/** `fitting` is best first; those before this one had others waiting, or lack hosts. */
function reasonFor(chosen: Candidate, fitting: Candidate[], tenant: string): string {
  const { hub, used } = chosen;
  const rank = fitting.indexOf(chosen) === 0 ? "least loaded" : "next";
  const why = hub.spec.tenants?.includes(tenant)
    ? `kept for ${tenant}, ${rank}`
    : `${rank} of ${fitting.length} fitting hubs`;
  return `${why}: ${used} of ${capacityOf(hub)} control planes in use`;
}

async function freeOn(
  store: Store,
  hub: string,
  types: Map<string, number>,
  taken: ReadonlySet<string>,
  random: () => number,
): Promise<Map<string, HostId[]>> {
  const free = new Map<string, HostId[]>();
  for (const [hostType, count] of types) {
    free.set(hostType, await findFree(store, { hub, hostType }, count, taken, random));
  }
  return free;
}

/** Deals the hosts out to the node sets; two sets of one type share what was found. */
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
