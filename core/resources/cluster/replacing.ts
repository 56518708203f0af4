import type { Reference } from "../../kernel/object/metadata.ts";
import { type Cluster, type NodeSets, wantedNodeSets } from "./model.ts";

/**
 * Hosts that leave a cluster when others have replaced them in their node sets. `departing` lists those that
 * wait for an operation to start, and `replacing` those of the running operation. A host can be removed from
 * both lists at any time; the operation then replaces one host less. Pure.
 */

/** The hosts that the running operation still has to remove, by node set. */
function replacedIn({ replacing = [], placement }: Cluster): Map<string, Reference[]> {
  return new Map(
    Object.entries(placement?.hosts ?? {}).map(([set, hosts]) => [
      set,
      replacing.filter(({ id }) => hosts.some((host) => host === id)),
    ]),
  );
}

/** How many hosts of a node set the running operation replaces. */
export const replacedOf = (cluster: Cluster, set: string): number =>
  replacedIn(cluster).get(set)?.length ?? 0;

/** The names of the hosts that the running operation still has to remove. */
export const namesReplaced = (cluster: Cluster): string[] =>
  [...replacedIn(cluster).values()].flat().map(({ name }) => name);

/** Whether the running operation replaces this host. */
export const isReplaced = ({ replacing = [] }: Cluster, host: string): boolean =>
  replacing.some(({ id }) => id === host);

/** Whether the cluster replaces this host, now or with its next operation. */
export const isDeparting = (cluster: Cluster, host: string): boolean =>
  isReplaced(cluster, host) || (cluster.departing ?? []).some(({ id }) => id === host);

/** The node sets, enlarged for the time in which they have both the old hosts and their replacements. */
export const withReplacements = (cluster: Cluster, nodeSets: NodeSets): NodeSets =>
  Object.fromEntries(
    Object.entries(nodeSets).map(([name, set]) => [
      name,
      { ...set, size: set.size + replacedOf(cluster, name) },
    ]),
  );

/** The cluster at the start of an operation, which replaces the hosts that wait at that time and no others. */
export function startReplacing({ departing = [], replacing: _, ...cluster }: Cluster): Cluster {
  const held: string[] = Object.values(cluster.placement?.hosts ?? {}).flat();
  const going = departing.filter(({ id }) => held.includes(id));
  return { ...cluster, ...(going.length > 0 && { replacing: going }) };
}

/** The cluster when no operation follows that would replace the waiting hosts. */
export const withoutDeparting = ({ departing: _, ...cluster }: Cluster): Cluster => cluster;

/** Whether the cluster already holds a replacement for each leaving host. */
function hasReplacements(cluster: Cluster): boolean {
  const wanted = Object.entries(withReplacements(cluster, wantedNodeSets(cluster)));
  const held = cluster.placement?.hosts ?? {};
  return wanted.every(([name, { size }]) => (held[name]?.length ?? 0) >= size);
}

/**
 * The cluster after a decision to keep a host. If the operation has already claimed the replacements, it keeps
 * their number, and another host leaves instead.
 */
export function keeping(cluster: Cluster, id: string): Cluster {
  const { departing = [], replacing = [], ...rest } = cluster;
  const others = (hosts: Reference[]) => hosts.filter((host) => host.id !== id);
  const waiting = others(departing);
  const running = hasReplacements(cluster) ? replacing : others(replacing);
  return {
    ...rest,
    ...(waiting.length > 0 && { departing: waiting }),
    ...(running.length > 0 && { replacing: running }),
  };
}
