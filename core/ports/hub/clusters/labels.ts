import { ownerLabel } from "../../owner.ts";

/** Labels of what is on a hub for a cluster; beside them stands its tenant's. */

export const clusterLabel = ownerLabel("cluster");
/** How the cluster's owner calls it, for people on the hub. */
export const nameLabel = "slipway.dev/name";
export const nodeSetLabel = "slipway.dev/node-set";
