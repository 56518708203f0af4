import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { advertiseAddress } from "./steps/dpu/address.ts";
import { confirmAdminNetwork, mapPorts, provisionDpus } from "./steps/dpu/of-host.ts";
import { admitAgent } from "./steps/host/admit.ts";
import { forgetAgent, readDiscoveryImage } from "./steps/host/agent.ts";
import { bootDiscoveryImage, bootFromAdminNetwork } from "./steps/host/boot.ts";
import { endBoot } from "./steps/host/end-boot.ts";
import { eraseDrives } from "./steps/host/erase.ts";
import { powerOff, powerOffKnown } from "./steps/host/power.ts";

const setAside = {
  none: "a host that failed is quarantined as it is, so that an operator sees what went wrong",
};

/** Turns a server with DPUs that is off into a host of the pool: its DPUs are provisioned first, and connect it. */
export const hostProvision = saga<"host">("host-provision", {
  comment: "A server with DPUs boots the discovery image through them and becomes a free host",
  nodes: [
    step("PowerOff", powerOffKnown, setAside),
    step("ProvisionDpus", provisionDpus, setAside),
    step("ConfirmAdminNetwork", confirmAdminNetwork, setAside),
    step("ReadDiscoveryImage", readDiscoveryImage, setAside),
    // What waits for a start boots the discovery image, which may come from the network by a token.
    step("EraseDrives", eraseDrives, endBoot),
    // Many controllers erase only what is switched on.
    step("PowerOffErased", powerOff, setAside),
    step("ForgetAgent", forgetAgent, setAside),
    // What runs on it reports its health until it is admitted; a host that is quarantined gets nothing by that token.
    step("BootFromAdminNetwork", bootFromAdminNetwork, endBoot),
    step("AdvertiseAddress", advertiseAddress, setAside),
    step("AwaitAgent", bootDiscoveryImage, setAside),
    step("MapPorts", mapPorts, setAside),
    step("AdmitAgent", admitAgent, setAside),
    step("EndBoot", endBoot, setAside),
  ],
});
