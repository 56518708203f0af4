import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { eraseDrives } from "./steps/host/erase.ts";
import { leaveNetworks } from "./steps/host/networks.ts";
import { powerOff } from "./steps/host/power.ts";
import { prepareDiscovery } from "./steps/host/prepare.ts";

const setAside = { none: "the host is set aside as it is, and a person has it cleaned again" };

/** Erases a host that an owner has released. It stays off until the pool needs it. */
export const hostClean = saga<"host">("host-clean", {
  comment:
    "A used server is off every network, switched off and erased, or is set aside with the reason",
  nodes: [
    step("LeaveNetworks", leaveNetworks, setAside),
    step("PowerOff", powerOff, setAside),
    step("ForgetAgent", prepareDiscovery, setAside),
    step("EraseDrives", eraseDrives, setAside),
  ],
});
