import type { OwnedDomain, RecordSet } from "../../ports/dns/dns.ts";
import type { SiteRecord } from "../site/at-site.ts";
import { ownerOf } from "../site/owner.ts";
import { clusterRecords, recordNames } from "./dns-names.ts";
import type { Cluster } from "./model.ts";

/** A cluster in the terms of the DNS of its site. Pure: the same record always gives the same answer. */

/** A domain that the cluster has claimed, with its names there. */
export const ownedDomain = (cluster: Cluster, domain: string): OwnedDomain => ({
  ...ownerOf(cluster),
  domain,
  recordNames: recordNames(domain),
});

/** The records of the names; none without addresses, since a name could lead nowhere. */
export function recordsOf(
  { floating_ips: outside, network }: SiteRecord,
  domain: string,
): RecordSet[] {
  if (!outside || !network) return [];
  return clusterRecords(domain, {
    api: [outside.api],
    apiInternal: [network.api],
    ingress: [outside.ingress],
  });
}
