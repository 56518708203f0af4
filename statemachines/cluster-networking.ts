import { hours } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { regroupPorts } from "./steps/site/groups.ts";

/** Changes the security groups of a running cluster's hosts in a tenant's subnet. */
export const clusterNetworking = saga<"cluster">("cluster-networking", {
  comment: "Every port of a cluster has its new security groups, or again those that it had",
  nodes: [step("ChangeSecurityGroups", regroupPorts("wanted", hours(2)), regroupPorts("previous"))],
});
