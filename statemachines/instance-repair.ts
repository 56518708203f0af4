import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { stopServer } from "./steps/instance/power.ts";
import { endRepair, reinstallDpus, restoreNetworks } from "./steps/instance/repair.ts";
import { startAnew } from "./steps/instance/run.ts";

const again = { none: "what failed is tried again with its tenant's consent" };

/** Has the DPUs of a tenant's server installed anew, with its tenant's consent. It is the tenant's all the while. */
export const instanceRepair = saga<"baremetal_instance">("instance-repair", {
  comment:
    "The DPUs of a tenant's server are installed anew, and it has started and said so, or is off",
  nodes: [
    step("StopServer", stopServer, again),
    step("ReinstallDpus", reinstallDpus, again),
    step("RestoreNetworks", restoreNetworks, again),
    step("StartServer", startAnew, again),
    step("EndRepair", endRepair, { none: "nothing is left to go back to" }),
  ],
});
