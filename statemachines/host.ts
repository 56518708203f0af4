import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { advertiseAddress } from "./steps/dpu/address.ts";
import {
  confirmAdminNetwork,
  mapPorts,
  provisionDpus,
  provisionMissing,
} from "./steps/dpu/of-host.ts";
import { admitAgent } from "./steps/host/admit.ts";
import { forgetAgent, readDiscoveryImage } from "./steps/host/agent.ts";
import { bootDiscoveryImage, bootFromAdminNetwork } from "./steps/host/boot.ts";
import { endBoot } from "./steps/host/end-boot.ts";
import { eraseDrives } from "./steps/host/erase.ts";
import { eraseAndStop } from "./steps/host/erase-and-stop.ts";
import { updateFirmware } from "./steps/host/firmware.ts";
import { leaveNetworks } from "./steps/host/networks.ts";
import { ejectMedia, powerOff, powerOffKnown } from "./steps/host/power.ts";

const setAside = {
  none: "a host that failed is quarantined as it is, so that an operator sees what went wrong",
};

/**
 * Turns a server that is off into a host of the pool: erases it before its first use, discovers it, and
 * compares it with its type.
 */
export const hostDiscover = saga<"host">("host-discover", {
  comment: "A server boots the discovery image and becomes a free host, or is set aside",
  nodes: [
    step("PowerOff", powerOffKnown, setAside),
    step("ReadDiscoveryImage", readDiscoveryImage, setAside),
    // The undo ends the token with which an erasure may boot the discovery image from the network.
    step("EraseDrives", eraseDrives, endBoot),
    // Many controllers erase only while the server is on; it is switched off again.
    step("PowerOffErased", powerOff, setAside),
    step("ForgetAgent", forgetAgent, setAside),
    // Boots from the virtual drive, or from the network by a token, as the site is configured.
    step("BootDiscoveryImage", bootDiscoveryImage, endBoot),
    step("EjectMedia", ejectMedia, setAside),
    step("AdmitAgent", admitAgent, setAside),
    step("EndBoot", endBoot, setAside),
  ],
});

/**
 * Turns a server with DPUs that is off into a host of the pool: first provisions the DPUs, which connect it.
 */
export const hostProvision = saga<"host">("host-provision", {
  comment: "A server with DPUs boots the discovery image through them and becomes a free host",
  nodes: [
    step("PowerOff", powerOffKnown, setAside),
    step("ProvisionDpus", provisionDpus, setAside),
    step("ConfirmAdminNetwork", confirmAdminNetwork, setAside),
    step("ReadDiscoveryImage", readDiscoveryImage, setAside),
    // The undo ends the token with which an erasure may boot the discovery image from the network.
    step("EraseDrives", eraseDrives, endBoot),
    // Many controllers erase only while the server is on; it is switched off again.
    step("PowerOffErased", powerOff, setAside),
    step("ForgetAgent", forgetAgent, setAside),
    // The token serves health reports until the host is admitted; the undo ends it, so that a quarantined host
    // has no access.
    step("BootFromAdminNetwork", bootFromAdminNetwork, endBoot),
    step("AdvertiseAddress", advertiseAddress, setAside),
    step("AwaitAgent", bootDiscoveryImage, setAside),
    step("MapPorts", mapPorts, setAside),
    step("AdmitAgent", admitAgent, setAside),
    step("EndBoot", endBoot, setAside),
  ],
});

const cleanedAgain = {
  none: "a host that failed is quarantined as it is, and an operator has it cleaned again",
};

/** Erases a host that an owner has released. It stays off until the pool needs it. */
export const hostClean = saga<"host">("host-clean", {
  comment: "A used server leaves every network, is switched off and erased, or is set aside",
  nodes: [
    step("LeaveNetworks", leaveNetworks, cleanedAgain),
    step("PowerOff", powerOff, cleanedAgain),
    // The server stays off until each DPU has reported that the host reaches no tenant; only then may it start for
    // its erasure.
    step("ProvisionDpus", provisionMissing, cleanedAgain),
    step("ConfirmAdminNetwork", confirmAdminNetwork, cleanedAgain),
    step("ReadDiscoveryImage", readDiscoveryImage, cleanedAgain),
    // The undo ends the token with which an erasure may boot the discovery image from the network.
    step("EraseDrives", eraseAndStop("PowerOffErased"), endBoot),
    step("PowerOffErased", powerOff, cleanedAgain),
    step("ForgetAgent", forgetAgent, cleanedAgain),
  ],
});

const leftAsItIs = { none: "a host that failed is quarantined as it is" };

/** Switches off a free host that the pool does not need. Its drives stay erased. */
export const hostSwitchOff = saga<"host">("host-switch-off", {
  comment: "A free server is switched off, and its hub forgets its agent",
  nodes: [step("PowerOff", powerOff, leftAsItIs), step("ForgetAgent", forgetAgent, leftAsItIs)],
});

const keepsItsImage = {
  none: "a host that failed is quarantined as it is: a written image cannot be undone",
};

/**
 * Updates the firmware of a free server to the versions of its type. The server is off meanwhile, and is
 * discovered again afterwards.
 */
export const hostUpdateFirmware = saga<"host">("host-update-firmware", {
  comment: "A server gets the firmware that its type asks for and is off, or is set aside",
  nodes: [
    step("PowerOff", powerOff, keepsItsImage),
    step("ReadDiscoveryImage", readDiscoveryImage, keepsItsImage),
    step("UpdateFirmware", updateFirmware, keepsItsImage),
    step("PowerOffUpdated", powerOff, keepsItsImage),
    step("ForgetAgent", forgetAgent, keepsItsImage),
  ],
});
