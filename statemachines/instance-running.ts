import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { awaitPhoneHome, bootImage } from "./steps/instance/boot-image.ts";
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
import { stopServer } from "./steps/instance/power.ts";
import {
  endRepair,
  reinstallDpus,
  restoreNetworks,
  updateServersFirmware,
} from "./steps/instance/repair.ts";
import { settlePower, startInstanceAnew } from "./steps/instance/run.ts";

/** Changes the networks of a tenant's running server, or its security groups in them. */
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

const installAgain = {
  none: "what was on the disk is lost: its tenant has it installed once more",
};

/** Reinstalls the image on the disk of a tenant's server. */
export const instanceReinstall = saga<"baremetal_instance">("instance-reinstall", {
  comment: "A tenant's server runs its image anew, and has said so",
  nodes: [
    step("BootImage", bootImage, installAgain),
    step("AwaitPhoneHome", awaitPhoneHome, installAgain),
    step("SettlePower", settlePower, installAgain),
  ],
});

const repairAgain = { none: "what failed is tried again with its tenant's consent" };

/**
 * Updates the firmware of a tenant's server, or reinstalls its DPUs, as the provider requested and the tenant
 * agreed. The tenant keeps the server meanwhile.
 */
export const instanceRepair = saga<"baremetal_instance">("instance-repair", {
  comment:
    "The firmware of a tenant's server is updated, or its DPUs are installed anew, and it has started and said so, or is off",
  nodes: [
    step("StopServer", stopServer, repairAgain),
    step("UpdateFirmware", updateServersFirmware, repairAgain),
    // New firmware takes effect at a start, which may also boot the system, so the server is shut down again.
    step("StopUpdated", stopServer, repairAgain),
    step("ReinstallDpus", reinstallDpus, repairAgain),
    step("RestoreNetworks", restoreNetworks, repairAgain),
    step("StartServer", startInstanceAnew, repairAgain),
    step("EndRepair", endRepair, { none: "nothing is left to go back to" }),
  ],
});

const sayAgain = { none: "its tenant says again whether the server is to run" };

/** Restarts, stops or starts a tenant's server, as its order says at that time. */
export const instanceRestart = saga<"baremetal_instance">("instance-restart", {
  comment: "A tenant's server has started anew and said so, or is off",
  nodes: [
    step("SettlePower", settlePower, sayAgain),
    step("StartServer", startInstanceAnew, sayAgain),
  ],
});
