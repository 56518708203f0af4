import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { confirmAdminNetwork, provisionMissing } from "./steps/dpu/of-host.ts";
import { forgetAgent, readDiscoveryImage } from "./steps/host/agent.ts";
import { endBoot } from "./steps/host/end-boot.ts";
import { eraseAndStop } from "./steps/host/erase-and-stop.ts";
import { leaveNetworks } from "./steps/host/networks.ts";
import { powerOff } from "./steps/host/power.ts";

const setAside = {
  none: "a host that failed is quarantined as it is, and an operator has it cleaned again",
};

/** Erases a host that an owner has released. It stays off until the pool needs it. */
export const hostClean = saga<"host">("host-clean", {
  comment: "A used server leaves every network, is switched off and erased, or is set aside",
  nodes: [
    step("LeaveNetworks", leaveNetworks, setAside),
    step("PowerOff", powerOff, setAside),
    // Many controllers erase only what is switched on: until each DPU has reported that the host reaches nobody, it stays off.
    step("ProvisionDpus", provisionMissing, setAside),
    step("ConfirmAdminNetwork", confirmAdminNetwork, setAside),
    step("ReadDiscoveryImage", readDiscoveryImage, setAside),
    // What waits for a start boots the discovery image, which may come from the network by a token.
    step("EraseDrives", eraseAndStop("PowerOffErased"), endBoot),
    step("PowerOffErased", powerOff, setAside),
    step("ForgetAgent", forgetAgent, setAside),
  ],
});
