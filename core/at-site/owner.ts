import { asHostId } from "../id.ts";
import type { Host } from "../placement/pool/host.ts";
import type { OwnedSubnet, SubnetPlan } from "../ports/dhcp/dhcp.ts";
import type { HostLink, OwnedNetwork, Segment } from "../ports/fabric/fabric.ts";
import type { InNetwork } from "../ports/network/network.ts";
import type { Owner } from "../ports/owner.ts";
import { type AtSite, floatingIpUses, type NetworkRecord } from "./at-site.ts";

/** The owner of an object at a site. Pure: the same record always gives the same owner. */

export const ownerOf = ({ kind, id, infra_id, metadata }: AtSite): Owner => ({
  kind,
  id,
  tenant: metadata.tenant,
  name: infra_id,
});

/** A part of a tenant's network, such as a subnet. */
export const inNetwork = (
  part: AtSite & { network_infra_id: string; spec: { virtual_network: { id: string } } },
): InNetwork => ({
  ...ownerOf(part),
  network: {
    kind: "virtual_network",
    id: part.spec.virtual_network.id,
    tenant: part.metadata.tenant,
    name: part.network_infra_id,
  },
});

/** The network of the object's hosts. */
export const networkOf = (target: AtSite): OwnedNetwork => ({
  ...ownerOf(target),
  uses: floatingIpUses,
  ...(target.stands_in && {
    within: { name: target.stands_in.name, groups: target.stands_in.groups },
  }),
});

/** The segments of the tenants' subnets that the object's hosts are in. */
export const segmentsOf = ({ stands_in, stands = [] }: AtSite): Segment[] =>
  [...(stands_in ? [stands_in] : []), ...stands].map(({ name, groups }) => ({ name, groups }));

/** The object's ports in one of these segments. */
export const networkIn = (target: AtSite, within: Segment): OwnedNetwork => ({
  ...ownerOf(target),
  uses: [],
  within,
});

/** The subnet of the object's network at a DHCP server. */
export const subnetOf = (
  target: AtSite,
  { prefix }: Pick<NetworkRecord, "prefix">,
): OwnedSubnet => {
  const { kind, id, tenant } = ownerOf(target);
  return { kind, id, tenant, prefix };
};

/**
 * The DHCP options of that subnet, without a dynamic pool. A pool would give a host without a reservation a
 * temporary address, and a node's address must not change.
 */
export const subnetPlanOf = ({ gateway, dns_servers }: NetworkRecord): SubnetPlan => ({
  gateway,
  dnsServers: dns_servers,
});

/** The cabling of a host in its record. */
export const linksOf = ({ id, spec }: Host): HostLink[] =>
  spec.nics.map(({ mac, switch: name, port }) => ({
    host: asHostId(id),
    mac,
    switch: name,
    port,
  }));
