/** Names of the sagas on a cluster, for code that accepts orders and need not know the steps. */
export const clusterSagas = {
  create: "cluster-create",
  delete: "cluster-delete",
  scale: "cluster-scale",
  upgrade: "cluster-upgrade",
  networking: "cluster-networking",
  renew: "cluster-renew",
} as const;
export type ClusterSagaName = (typeof clusterSagas)[keyof typeof clusterSagas];
