import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { awaitPhoneHome, bootImage } from "./steps/instance/boot-image.ts";
import { settlePower } from "./steps/instance/run.ts";

const again = { none: "what was on the disk is lost: its tenant has it installed once more" };

/** Writes the image of a tenant's server on its disk once more. */
export const instanceReinstall = saga<"baremetal_instance">("instance-reinstall", {
  comment: "A tenant's server runs its image anew, and has said so",
  nodes: [
    step("BootImage", bootImage, again),
    step("AwaitPhoneHome", awaitPhoneHome, again),
    step("SettlePower", settlePower, again),
  ],
});
