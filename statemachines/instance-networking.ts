import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import {
  changeGroups,
  claimNewAddresses,
  claimOldAddresses,
  moveBack,
  moveOver,
  releaseNewAddresses,
  releaseOldAddresses,
  returnGroups,
} from "./steps/instance/networking.ts";

/** Gives a tenant's server other networks, or other security groups in them, while it runs. */
export const instanceNetworking = saga<"baremetal_instance">("instance-networking", {
  comment:
    "A server is in its new networks, with its new security groups, or again in those that it had",
  nodes: [
    step("ClaimAddresses", claimNewAddresses, releaseNewAddresses),
    step("ChangeNetworks", moveOver, moveBack),
    step("ChangeSecurityGroups", changeGroups, returnGroups),
    step("ReleaseAddresses", releaseOldAddresses, claimOldAddresses),
  ],
});
