import type { Violation } from "../../error.ts";
import { claimQuota } from "../../kernel/claim/quota.ts";
import type { Deps } from "../../kernel/deps.ts";
import { refuseViolations } from "../../kernel/input/parse.ts";
import type { Again } from "../../kernel/saga/orders.ts";
import { charged, clusterFieldOf } from "./charge.ts";
import { orderAutomatic } from "./external-ips.ts";
import type { Cluster } from "./model.ts";
import { outsidePools, poolSiteOf } from "./outside-pools.ts";
import { clusterSagas } from "./sagas.ts";
import { momentOf } from "./update-rules.ts";
import { isUnfinished } from "./upgrade.ts";

/**
 * A retry of a cluster without an operation. A FAILED cluster is ordered again by its present spec, an upgrade
 * that stopped is continued, and a certificate that was not renewed in time is renewed. Throws QuotaExceeded.
 */
export async function again(deps: Deps, cluster: Cluster): Promise<Again<"cluster"> | undefined> {
  const moment = momentOf(cluster);
  if (moment === "failed") return createdAgain(deps, cluster);
  if (moment !== "ready") return undefined;
  if (isUnfinished(cluster)) return upgradedOn(cluster);
  if (!cluster.ingress_certificate?.unrenewed) return undefined;
  const { renew: saga } = clusterSagas;
  return { saga, change: "UPDATE", object: cluster, writes: [], adopts: false };
}

async function createdAgain(deps: Deps, before: Cluster): Promise<Again<"cluster">> {
  const { failure: _, ...rest } = before;
  const outside = await outsideAgain(deps, before);
  const object = charged({ ...rest, ...(outside && { automatic_ips: outside.ips }) });
  const quota = await claimQuota(deps, before, object, clusterFieldOf);
  const { create: saga } = clusterSagas;
  return { saga, change: "CREATE", object, writes: [...quota, ...(outside?.writes ?? [])] };
}

/** New external IPs for a cluster that released its own when it failed; undefined if it needs none. */
async function outsideAgain(deps: Deps, cluster: Cluster) {
  const { spec, automatic_ips: has, metadata, stands_in, site } = cluster;
  if (!spec.auto_external_ip_attachment || has) return undefined;
  const violations: Violation[] = [];
  // An interrupted create may have left parts at the site, whose numbers are from these pools.
  const where = poolSiteOf(metadata.tenant, spec, stands_in?.site ?? site?.id);
  const pools = await outsidePools(deps, where, violations);
  refuseViolations(violations);
  return orderAutomatic(deps, cluster, pools);
}

/**
 * The cluster at the start of the rest of an upgrade, to the release that the control plane has or is upgrading
 * to.
 */
function upgradedOn({ failure: _, ...cluster }: Cluster): Again<"cluster"> {
  const { spec, release } = cluster;
  const object = {
    ...cluster,
    upgrade: { from: { version: spec.version, release }, to: release },
  };
  return { saga: clusterSagas.upgrade, change: "UPDATE", object, writes: [], adopts: false };
}
