import type { NetworkRecord } from "../../../core/at-site/at-site.ts";
import { AppError } from "../../../core/error.ts";
import { overlap } from "../../../core/prefix.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import { defaultPrefixes } from "../../../core/resources/cluster-template/prefixes.ts";

/**
 * Refuses pod and service prefixes that overlap the network of the hosts, whose addresses would be ambiguous.
 */
export function refuseOverlap({ spec }: Cluster, { prefix }: NetworkRecord): void {
  for (const [member, cidr] of Object.entries({ ...defaultPrefixes, ...spec.network })) {
    if (overlap(cidr, prefix))
      throw new AppError(
        "Rejected",
        `spec.network.${member} ${cidr} overlaps the network of its hosts, ${prefix}: order it with another`,
      );
  }
}
