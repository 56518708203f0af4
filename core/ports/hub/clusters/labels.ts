import { ownerLabel } from "../../owner.ts";

/** Labels of the objects that a cluster has on a hub; the tenant's label is beside them. */

export const clusterLabel = ownerLabel("cluster");
/** The cluster's name, for people on the hub. */
export const nameLabel = "slipway.dev/name";
export const nodeSetLabel = "slipway.dev/node-set";
