import { hours } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { regroupPorts } from "./steps/site/groups.ts";

/** Gives a tenant's server other security groups, while it runs. */
export const instanceNetworking = saga<"baremetal_instance">("instance-networking", {
  comment: "Every port of a server has its new security groups, or again those that it had",
  nodes: [step("ChangeSecurityGroups", regroupPorts("wanted", hours(2)), regroupPorts("previous"))],
});
