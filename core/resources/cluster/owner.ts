import { asHostId } from "../../id.ts";
import type { OwnedDomain, RecordSet } from "../../ports/dns/dns.ts";
import type { HostLink, OwnedNetwork } from "../../ports/fabric/fabric.ts";
import type { Owner } from "../../ports/owner.ts";
import type { Host } from "../host/model.ts";
import { type ClusterSite, floatingIpUses } from "./cluster-site.ts";
import { clusterRecords, recordNames } from "./dns-names.ts";
import type { Cluster } from "./model.ts";

/** A cluster in the terms of each system of its site. Pure: the same record asks for the same things. */

export const ownerOf = ({ id, infra_id, metadata }: Cluster): Owner => ({
  kind: "cluster",
  id,
  tenant: metadata.tenant,
  name: infra_id,
});

/** The network that its hosts are on. */
export const networkOf = (cluster: Cluster): OwnedNetwork => ({
  ...ownerOf(cluster),
  uses: floatingIpUses,
});

/** A domain that it has claimed, with the names that it has there. */
export const ownedDomain = (cluster: Cluster, domain: string): OwnedDomain => ({
  ...ownerOf(cluster),
  domain,
  recordNames: recordNames(domain),
});

/** None without addresses: then there is nothing that a name could lead to. */
export function recordsOf(
  { floating_ips: outside, network }: ClusterSite,
  domain: string,
): RecordSet[] {
  if (!outside || !network) return [];
  return clusterRecords(domain, {
    api: [outside.api],
    apiInternal: [network.api],
    ingress: [outside.ingress],
  });
}

/** How a host is cabled, as the inventory knows it. */
export const linksOf = ({ id, spec }: Host): HostLink[] =>
  spec.nics.map(({ mac, switch: name, port }) => ({
    host: asHostId(id),
    mac,
    switch: name,
    port,
  }));
