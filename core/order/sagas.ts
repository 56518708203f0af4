import type { Cluster } from "../model/cluster.ts";

/** Names of the sagas on a cluster, for those who accept orders and need not know the steps. */
export const clusterSagas = {
  create: "cluster-create",
  delete: "cluster-delete",
  scale: "cluster-scale",
} as const;

/** What an operation that starts now brings about. */
export const sizesOf = ({ spec }: Pick<Cluster, "spec">): Record<string, number> =>
  Object.fromEntries(Object.entries(spec.node_sets).map(([name, { size }]) => [name, size]));
