import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { forgetAgent, readDiscoveryImage } from "./steps/host/agent.ts";
import { updateFirmware } from "./steps/host/firmware.ts";
import { powerOff } from "./steps/host/power.ts";

const setAside = {
  none: "a host that failed is quarantined as it is: a written image cannot be undone",
};

/** Has the firmware of a server that nobody has be what its type asks for. It is off then, and discovered anew. */
export const hostUpdateFirmware = saga<"host">("host-update-firmware", {
  comment: "A server gets the firmware that its type asks for and is off, or is set aside",
  nodes: [
    step("PowerOff", powerOff, setAside),
    step("ReadDiscoveryImage", readDiscoveryImage, setAside),
    step("UpdateFirmware", updateFirmware, setAside),
    step("PowerOffUpdated", powerOff, setAside),
    step("ForgetAgent", forgetAgent, setAside),
  ],
});
