import { hours, minutes } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { backwards, phase, step } from "../core/kernel/saga/saga.ts";
import { capacityReleased, releaseCapacity } from "./steps/capacity/release.ts";
import { capacityReserved } from "./steps/capacity/reserve.ts";
import { awaitPhoneHome, bootImage } from "./steps/instance/boot-image.ts";
import { instanceCapacity, leaveLine, reserveInstanceHost } from "./steps/instance/capacity.ts";
import { publishExternalIp, unpublish, withoutExternalIp } from "./steps/instance/external-ip.ts";
import {
  attachHost,
  detachHost,
  prepareNetworks,
  releaseNetworks,
} from "./steps/instance/networks.ts";
import { cutOffServer, leavePool, powerOffServer } from "./steps/instance/power.ts";
import { forgetUserData } from "./steps/instance/publish.ts";
import { settlePower } from "./steps/instance/run.ts";
import { systems } from "./steps/systems.ts";

const leavesPool = {
  none: "a released host is erased and discovered before the pool has it again",
};

/** Turns an order into a tenant's server: a host of the pool in the tenant's networks. */
export const instanceProvision = saga<"baremetal_instance">("instance-provision", {
  comment: "An ordered server is the tenant's, or everything that it claimed is released",
  nodes: [
    step(
      "ReserveHost",
      {
        system: systems.placement,
        act: reserveInstanceHost,
        look: reserveInstanceHost,
        looksLater: true,
        until: capacityReserved(instanceCapacity),
        deadline: hours(24),
      },
      withoutExternalIp({
        system: systems.hub,
        act: leaveLine,
        look: releaseCapacity(instanceCapacity),
        until: capacityReleased,
        effects: "none",
        deadline: hours(24),
      }),
    ),
    step("PowerOff", powerOffServer, leavesPool),
    step("LeavePool", leavePool, leavesPool),
    step("PrepareNetworks", prepareNetworks, releaseNetworks),
    step("AttachHost", attachHost, detachHost),
    step("BootImage", bootImage, cutOffServer),
    step("AwaitPhoneHome", awaitPhoneHome, {
      none: "the server is switched off by the undo of its boot",
    }),
    step("SettlePower", settlePower, {
      none: "the server is switched off by the undo of its boot",
    }),
    step("PublishInstance", publishExternalIp, unpublish),
  ],
});

/** The undos of instance-provision in reverse order, so that each undo is written once. */
const undos = backwards(instanceProvision.nodes);
const isolated = undos.findIndex(({ name }) => name === "Undo PrepareNetworks");

/**
 * Isolates the server, which is then no longer the tenant's. `host-clean` erases the host later; this saga does
 * not wait for it.
 */
export const instanceRelease = saga<"baremetal_instance">("instance-release", {
  comment: "A tenant's server is isolated and released; its host is erased after that",
  irreversible: true,
  nodes: [
    phase("Isolate", ...undos.slice(0, isolated)),
    phase(
      "ReleaseAndArchive",
      ...undos.slice(isolated),
      step(
        "ArchiveInstance",
        { act: forgetUserData, deadline: minutes(15) },
        { none: "nothing is left to go back to" },
      ),
    ),
  ],
});
