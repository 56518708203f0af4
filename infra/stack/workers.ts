import type { Zone } from "../../core/kernel/saga/saga.ts";
import { type Deployed, deployFunction, keepFailures, type Shared } from "./functions.ts";
import { type Network, vpcOf } from "./network.ts";

/** One worker a zone, each with its own role, network and limit. */
export function workers(shared: Shared, network: Network | undefined): Record<Zone, Deployed> {
  const deployed = {
    core: deployFunction(shared, "core-worker", {
      description: "steps that need nothing but the store",
      seconds: 60,
    }),
    hub: deployFunction(shared, "hub-worker", {
      description: "steps, rechecks and sweeps at hubs and in hosted clusters",
      seconds: 120,
      ...(network && vpcOf(network, network.hubs)),
    }),
    site: deployFunction(shared, "site-worker", {
      description: "steps at sites: fabric, DNS, storage",
      seconds: 120,
      ...(network && vpcOf(network, network.sites)),
    }),
  };
  // For rechecks and sweeps; a state machine retries its tasks itself.
  keepFailures(deployed.core, "CoreWorker", 2);
  keepFailures(deployed.hub, "HubWorker", 1);
  keepFailures(deployed.site, "SiteWorker", 1);
  return deployed;
}
