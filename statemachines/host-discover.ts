import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { admitAgent } from "./steps/host/admit.ts";
import { forgetAgent, readDiscoveryImage } from "./steps/host/agent.ts";
import { bootDiscoveryImage } from "./steps/host/boot.ts";
import { endBoot } from "./steps/host/end-boot.ts";
import { eraseDrives } from "./steps/host/erase.ts";
import { ejectMedia, powerOff, powerOffKnown } from "./steps/host/power.ts";

const setAside = {
  none: "a host that failed is quarantined as it is, so that an operator sees what went wrong",
};

/**
 * Turns a server that is off into a host of the pool: erased before its first use, discovered, and as its
 * type promises.
 */
export const hostDiscover = saga<"host">("host-discover", {
  comment: "A server boots the discovery image and becomes a free host, or is set aside",
  nodes: [
    step("PowerOff", powerOffKnown, setAside),
    step("ReadDiscoveryImage", readDiscoveryImage, setAside),
    // What waits for a start boots the discovery image, which may come from the network by a token.
    step("EraseDrives", eraseDrives, endBoot),
    // Many controllers erase only what is switched on.
    step("PowerOffErased", powerOff, setAside),
    step("ForgetAgent", forgetAgent, setAside),
    // From its virtual drive, or from the network by a token, as its site says.
    step("BootDiscoveryImage", bootDiscoveryImage, endBoot),
    step("EjectMedia", ejectMedia, setAside),
    step("AdmitAgent", admitAgent, setAside),
    step("EndBoot", endBoot, setAside),
  ],
});
