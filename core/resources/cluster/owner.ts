import { type FloatingIpUse, outsideOf, type SiteRecord } from "../../at-site/at-site.ts";
import { ownerOf } from "../../at-site/owner.ts";
import type { OwnedDomain, RecordSet } from "../../ports/dns/dns.ts";
import { clusterRecords, outsideNames, recordNames } from "./dns-names.ts";
import type { Cluster } from "./model.ts";

/** A cluster as an owner in the DNS of its site. Pure: the same record always gives the same answer. */

/** A claimed domain, with the cluster's names in it. */
export const ownedDomain = (cluster: Cluster, domain: string): OwnedDomain => ({
  ...ownerOf(cluster),
  domain,
  recordNames: recordNames(domain),
});

/** The domain with the one name that clients outside use. */
export const ownedName = (cluster: Cluster, domain: string, use: FloatingIpUse): OwnedDomain => ({
  ...ownedDomain(cluster, domain),
  recordNames: [outsideNames(domain)[use]],
});

/** The DNS records of the names; none without addresses, because the names would lead nowhere. */
export function recordsOf(site: SiteRecord, domain: string): RecordSet[] {
  const { network } = site;
  const outside = outsideOf(site);
  if (!outside || !network) return [];
  return clusterRecords(domain, {
    api: [outside.api],
    apiInternal: [network.api],
    ingress: [outside.ingress],
  });
}
