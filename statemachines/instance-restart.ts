import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { settlePower, startAnew } from "./steps/instance/run.ts";

const again = { none: "its tenant says again whether the server is to run" };

/** Restarts a tenant's server, shuts it down, or starts it: as its tenant has it now. */
export const instanceRestart = saga<"baremetal_instance">("instance-restart", {
  comment: "A tenant's server has started anew and said so, or is off",
  nodes: [step("SettlePower", settlePower, again), step("StartServer", startAnew, again)],
});
