import { hours, minutes } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { capacityReleased, releaseCapacity } from "./steps/capacity/release.ts";
import { capacityReserved, leaveQueues } from "./steps/capacity/reserve.ts";
import { instanceCapacity, reserveHost } from "./steps/instance/capacity.ts";
import {
  attachHost,
  detachHost,
  prepareNetworks,
  releaseNetworks,
} from "./steps/instance/networks.ts";
import { publishInstance, unpublishInstance } from "./steps/instance/publish.ts";
import { systems } from "./steps/systems.ts";

/** Turns an order into a server of the tenant's own: a host of the pool, in the tenant's networks. */
export const instanceProvision = saga<"baremetal_instance">("instance-provision", {
  comment: "An ordered server is the tenant's, or everything that it claimed is released",
  nodes: [
    step(
      "ReserveHost",
      {
        system: systems.placement,
        act: reserveHost,
        look: reserveHost,
        looksLater: true,
        until: capacityReserved(instanceCapacity),
        deadline: hours(24),
      },
      {
        system: systems.hub,
        act: leaveQueues(instanceCapacity),
        look: releaseCapacity(instanceCapacity),
        until: capacityReleased,
        effects: "none",
        deadline: hours(24),
      },
    ),
    step("PrepareNetworks", prepareNetworks, releaseNetworks),
    step("AttachHost", attachHost, detachHost),
    step(
      "PublishInstance",
      { act: publishInstance, deadline: minutes(15) },
      { act: unpublishInstance, deadline: minutes(15) },
    ),
  ],
});
