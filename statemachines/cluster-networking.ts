import { hours } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { regroupPorts } from "./steps/site/groups.ts";

/** Gives the hosts of a cluster in a tenant's subnet other security groups, while it runs. */
export const clusterNetworking = saga<"cluster">("cluster-networking", {
  comment: "Every port of a cluster has its new security groups, or again those that it had",
  nodes: [step("ChangeSecurityGroups", regroupPorts("wanted", hours(2)), regroupPorts("previous"))],
});
