import { ownerLabel } from "../../owner.ts";

/** Labels of what is on a hub for a cluster; beside them stands its tenant's. */

export const clusterLabel = ownerLabel("cluster");
/** The cluster's name, for people on the hub. */
export const nameLabel = "slipway.dev/name";
export const nodeSetLabel = "slipway.dev/node-set";
