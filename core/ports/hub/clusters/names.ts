import {
  type Cluster,
  controlPlaneNamespaceOf,
  namespaceOf,
} from "../../../resources/cluster/model.ts";
import type { Names } from "../hub.ts";

/** The names of a cluster on its hub. */
export const namesOf = (cluster: Cluster): Names => ({
  cluster: cluster.id,
  hostedCluster: cluster.infra_id,
  namespace: namespaceOf(cluster),
  controlPlaneNamespace: controlPlaneNamespaceOf(cluster),
});
