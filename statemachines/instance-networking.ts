import { hours } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { placeAsBefore, placeOnOverlay, throughDpus } from "./steps/instance/overlay.ts";
import { regroupPorts } from "./steps/site/groups.ts";

const what = "in its security groups";
const changeGroups = throughDpus(regroupPorts("wanted", hours(2)), { act: placeOnOverlay, what });
const returnGroups = throughDpus(regroupPorts("previous"), { act: placeAsBefore, what });

/** Gives a tenant's server other security groups, while it runs. */
export const instanceNetworking = saga<"baremetal_instance">("instance-networking", {
  comment: "Every port of a server has its new security groups, or again those that it had",
  nodes: [step("ChangeSecurityGroups", changeGroups, returnGroups)],
});
