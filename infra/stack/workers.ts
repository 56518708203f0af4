import type { Zone } from "../../core/saga/saga.ts";
import { type Deployed, deployFunction, keepFailures, type Shared } from "./functions.ts";
import type { Network } from "./network.ts";

const environment = [
  "TABLE",
  "SECRETS_PREFIX",
  "CORE_WORKER",
  "HUB_WORKER",
  "SITE_WORKER",
] as const;

/**
 * The code's own limit, below Lambda's by what its last write takes. A lease is this and two
 * seconds more, so that no attempt has effects once its lease has ended.
 */
const timeout = (seconds: number) => ({ WORKER_TIMEOUT: String(seconds * 1000 - 1500) });

/** One worker a zone, each with its own role, network and limit. */
export function workers(shared: Shared, network: Network): Record<Zone, Deployed> {
  const { hub, site } = shared.stage.parameters.concurrency;
  const key = shared.stage.key && { SECRETS_KEY: shared.stage.key.arn };
  const deployed = {
    core: deployFunction(shared, "core-worker", {
      description: "steps that need nothing but the store",
      seconds: 60,
      megabytes: 512,
      environment,
      more: timeout(60),
    }),
    hub: deployFunction(shared, "hub-worker", {
      description: "steps, looks and sweeps at hubs and in hosted clusters",
      seconds: 120,
      megabytes: 768,
      environment,
      more: { ...timeout(120), ...key },
      reserved: hub,
      vpc: { privateSubnets: network.subnets, securityGroups: [network.hubs.id] },
    }),
    site: deployFunction(shared, "site-worker", {
      description: "steps at sites: fabric, DNS, storage",
      seconds: 120,
      megabytes: 768,
      environment,
      more: { ...timeout(120), ...key },
      reserved: site,
      vpc: { privateSubnets: network.subnets, securityGroups: [network.sites.id] },
    }),
  };
  // Looks and sweeps; a task of a state machine is tried again by the machine.
  keepFailures(deployed.core, "CoreWorker", 2);
  keepFailures(deployed.hub, "HubWorker", 1);
  keepFailures(deployed.site, "SiteWorker", 1);
  return deployed;
}
