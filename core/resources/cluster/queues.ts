import { poolName, poolUses } from "../../at-site/site.ts";
import { hostQueue, hubQueue, numbersQueue, slotQueue } from "../../placement/queues/tickets.ts";
import { type Cluster, knownNodeSets } from "./model.ts";

/** The queues in which an operation on a cluster may hold a ticket. */
export function clusterQueues(
  cluster: Pick<Cluster, "spec" | "applied" | "applying" | "site">,
): string[] {
  const { site } = cluster;
  const types = Object.values(knownNodeSets(cluster)).map((set) => hostQueue(set.host_type.name));
  const numbers = site ? poolUses.map((use) => numbersQueue(poolName(site.id, use))) : [];
  return [hubQueue, slotQueue, ...new Set(types), ...numbers];
}
