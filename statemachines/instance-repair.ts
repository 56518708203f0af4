import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { stopServer } from "./steps/instance/power.ts";
import {
  endRepair,
  reinstallDpus,
  restoreNetworks,
  updateServersFirmware,
} from "./steps/instance/repair.ts";
import { startAnew } from "./steps/instance/run.ts";

const again = { none: "what failed is tried again with its tenant's consent" };

/**
 * Has the firmware of a tenant's server updated and its DPUs installed anew, what of it is asked for, with its tenant's
 * consent. It is the tenant's all the while.
 */
export const instanceRepair = saga<"baremetal_instance">("instance-repair", {
  comment:
    "The firmware of a tenant's server is updated, or its DPUs are installed anew, and it has started and said so, or is off",
  nodes: [
    step("StopServer", stopServer, again),
    step("UpdateFirmware", updateServersFirmware, again),
    // What was written runs from a start on, and so may the system.
    step("StopUpdated", stopServer, again),
    step("ReinstallDpus", reinstallDpus, again),
    step("RestoreNetworks", restoreNetworks, again),
    step("StartServer", startAnew, again),
    step("EndRepair", endRepair, { none: "nothing is left to go back to" }),
  ],
});
