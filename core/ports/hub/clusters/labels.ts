import { ownerLabel } from "../../owner.ts";

/** Labels of a cluster's objects on a hub, beside the tenant's label. */

export const clusterLabel = ownerLabel("cluster");
/** The cluster's name, for people on the hub. */
export const nameLabel = "slipway.dev/name";
export const nodeSetLabel = "slipway.dev/node-set";
