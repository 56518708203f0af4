import { AppError } from "../../../core/error.ts";
import { overlap } from "../../../core/prefix.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import type { NetworkRecord } from "../../../core/resources/site/at-site.ts";

/**
 * Refuses pod and service prefixes that overlap the network of the hosts: hosts could not tell the
 * addresses of pods from each other's.
 */
export function refuseOverlap({ spec }: Cluster, { prefix }: NetworkRecord): void {
  const inside = { pod_cidr: spec.network.pod_cidr, service_cidr: spec.network.service_cidr };
  for (const [member, cidr] of Object.entries(inside)) {
    if (cidr !== undefined && overlap(cidr, prefix))
      throw new AppError(
        "Rejected",
        `spec.network.${member} ${cidr} overlaps the network of its hosts, ${prefix}: order it with another`,
      );
  }
}
