import { type Amounts, hostsOf } from "../../kernel/object/charge.ts";
import type { Cluster, NodeSets } from "./model.ts";

/** The amounts, by dimension, that a cluster counts for in quotas: its `charge`. Pure. */

/** The members that determine the amounts, besides the node sets. */
type Counted = Pick<Cluster, "has_storage"> & {
  spec: Pick<Cluster["spec"], "auto_external_ip_attachment" | "node_sets">;
};

/** The amounts of a cluster with these node sets. */
function amountsWith({ has_storage, spec }: Counted, nodeSets: NodeSets): Amounts {
  const amounts: Amounts = {
    control_planes: 1,
    [spec.auto_external_ip_attachment ? "external_ips" : "floating_ips"]: 2,
    ...(has_storage ? { storage_clusters: 1 } : {}),
  };
  for (const { host_type, size } of Object.values(nodeSets)) {
    const dimension = hostsOf(host_type.name);
    amounts[dimension] = (amounts[dimension] ?? 0) + size;
  }
  return amounts;
}

const most = (a: Amounts, b: Amounts): Amounts => {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...names].map((name) => [name, Math.max(a[name] ?? 0, b[name] ?? 0)]));
};

export const clusterAmounts = (cluster: Counted): Amounts =>
  amountsWith(cluster, cluster.spec.node_sets);

/**
 * The cluster with its charge when a retry or a change is accepted: until the operation ends, the larger of the
 * previous and the new amounts counts.
 */
export const charged = (cluster: Cluster): Cluster => ({
  ...cluster,
  charge: most(cluster.charge ?? {}, clusterAmounts(cluster)),
});

/**
 * A cluster after its operation, when no other follows. It counts for its present and its desired
 * resources. A failed cluster that has released everything counts for nothing.
 */
export function settled(cluster: Cluster): Cluster {
  const isNothing = cluster.failure !== undefined && cluster.placement === undefined;
  const { spec, applied = {}, applying = {} } = cluster;
  const charge = [spec.node_sets, applied, applying]
    .map((sets) => amountsWith(cluster, sets))
    .reduce(most);
  return { ...cluster, charge: isNothing ? {} : charge };
}

/** The field of an order that determines an amount, for the messages of refusals. */
export const clusterFieldOf = (dimension: string): string => fields[dimension] ?? "spec";

const fields: Record<string, string | undefined> = {
  hosts: "spec.node_sets",
  external_ips: "spec.auto_external_ip_attachment",
};
