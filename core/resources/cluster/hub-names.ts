import type { Names } from "../../ports/hub/clusters/port.ts";
import { type Cluster, controlPlaneNamespaceOf, namespaceOf } from "./model.ts";

/** The names of a cluster on its hub. */
export const namesOf = (cluster: Cluster): Names => ({
  cluster: cluster.id,
  hostedCluster: cluster.infra_id,
  namespace: namespaceOf(cluster),
  controlPlaneNamespace: controlPlaneNamespaceOf(cluster),
});
