import type { Groups } from "../../at-site/at-site.ts";
import type { Cluster } from "./model.ts";

/** Changes of the security groups of a cluster in a tenant's subnet. Pure. */

/** The cluster with these groups in its spec and at its site. */
export function withGroups(cluster: Cluster, { security_groups, names }: Groups): Cluster {
  const { stands_in, spec } = cluster;
  if (!stands_in || !spec.network_attachment) return cluster;
  return {
    ...cluster,
    stands_in: { ...stands_in, groups: names },
    spec: { ...spec, network_attachment: { ...spec.network_attachment, security_groups } },
  };
}

/** The cluster at the start of a change of its groups; the present ones are kept in case the change fails. */
export function regroupedTo(cluster: Cluster, groups: Groups): Cluster {
  const { stands_in, spec } = cluster;
  const { security_groups = [] } = spec.network_attachment ?? {};
  const from = { security_groups, names: stands_in?.groups ?? [] };
  return { ...withGroups(cluster, groups), regrouping: { from: [from] } };
}
