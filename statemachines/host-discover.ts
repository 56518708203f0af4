import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { admitAgent } from "./steps/host/admit.ts";
import { bootDiscoveryImage } from "./steps/host/boot.ts";
import { eraseDrives } from "./steps/host/erase.ts";
import { ejectMedia, powerOff } from "./steps/host/power.ts";
import { prepareDiscovery } from "./steps/host/prepare.ts";

/** A host that failed is left as it is: who looks at it sees what went wrong. */
const setAside = {
  none: "the host is set aside as it is, and every saga on a host begins with its power off",
};

/** Turns a server that is off into a host of the pool: erased, discovered, and as its type promises. */
export const hostDiscover = saga<"host">("host-discover", {
  comment:
    "A server boots the discovery image and becomes a free host, or is set aside with the reason",
  nodes: [
    step("PowerOff", powerOff, setAside),
    step("PrepareDiscovery", prepareDiscovery, setAside),
    step("EraseDrives", eraseDrives, setAside),
    step("BootDiscoveryImage", bootDiscoveryImage, setAside),
    step("EjectMedia", ejectMedia, setAside),
    step("AdmitAgent", admitAgent, setAside),
  ],
});
