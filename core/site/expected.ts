import { asHostId } from "../id.ts";
import { clusterRecords, type DnsOwner, type RecordSet } from "../ports/dns/dns.ts";
import type { FabricOrder, HostLink } from "../ports/fabric/fabric.ts";
import type { StorageOwner } from "../ports/storage/storage.ts";
import type { ClusterSite } from "../resources/cluster/cluster-site.ts";
import type { Cluster } from "../resources/cluster/model.ts";
import type { Host } from "../resources/host/model.ts";

/** A cluster in the terms of each system of its site. Pure: the same record asks for the same things. */

export const fabricOrderOf = ({ id, infra_id, metadata }: Cluster): FabricOrder => ({
  tenant: metadata.tenant,
  cluster: id,
  infraId: infra_id,
});

export const storageOwnerOf = ({ id, metadata }: Cluster): StorageOwner => ({
  cluster: id,
  tenant: metadata.tenant,
});

export const dnsOwnerOf = ({ id, metadata }: Cluster, domain: string): DnsOwner => ({
  cluster: id,
  tenant: metadata.tenant,
  domain,
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
