import { prefixLength, versionOf } from "./addresses.ts";
import { hasDhcp } from "./dhcp.ts";
import { cableOf, networkAt, portsOf } from "./nics.ts";
import { routerBetween } from "./routers.ts";
import type { FabricState } from "./state.ts";
import { vlanOf } from "./switches.ts";

/** The effects of the fabric on machines and clients. */

export interface Lease {
  address: string;
  prefixLength: number;
  /** The gateway; null where the subnet has none. */
  gateway: string | null;
  dnsServers: string[];
  vlan: number;
  /** Whether a router leads out of the subnet: without one nothing outside can be reached. */
  isRouted: boolean;
}

/** The network that a NIC is on by its switch port. */
export interface Segment {
  /** Its prefixes that the fabric gives no addresses of, and that a router leads to: it relays DHCP. */
  relayed: string[];
}

/** The network that the switch port of a NIC's actual cable leads to; undefined where it leads to none. */
export function segmentOf(state: FabricState, mac: string): Segment | undefined {
  const cable = cableOf(state, mac);
  if (!cable || vlanOf(state, cable) === undefined) return undefined;
  const network = networkAt(state, cable);
  const relayed = state.records
    .all("subnet")
    .filter(
      (subnet) =>
        subnet.network_id === network?.id &&
        !subnet.enable_dhcp &&
        versionOf(subnet.cidr) === 4 &&
        routerBetween(state, subnet.id) !== undefined,
    )
    .map(({ cidr }) => cidr);
  return { relayed };
}

/**
 * What DHCP answers a NIC: an address only when the switch port of its actual cable is in the VLAN of a
 * network that has a bound port with its MAC, and a DHCP agent on the subnet.
 */
export function leaseOf(state: FabricState, mac: string): Lease | undefined {
  const cable = cableOf(state, mac);
  const network = cable && networkAt(state, cable);
  if (!network) return undefined;
  const port = portsOf(state, mac).find((one) => one.network_id === network.id);
  if (!port || !state.isPast(port.active_at)) return undefined;
  for (const { subnet_id, ip_address: address } of port.fixed_ips) {
    const subnet = state.records.get("subnet", subnet_id);
    if (versionOf(address) !== 4) continue;
    if (!subnet?.enable_dhcp || !hasDhcp(state, subnet)) continue;
    return {
      address,
      prefixLength: prefixLength(subnet.cidr),
      gateway: subnet.gateway_ip,
      dnsServers: subnet.dns_nameservers,
      vlan: network.vlan ?? 0,
      isRouted: routerBetween(state, subnet.id) !== undefined,
    };
  }
  return undefined;
}

/** The inside address behind a floating IP; undefined while it leads nowhere. */
export function behind(state: FabricState, address: string): string | undefined {
  const found = state.records
    .all("floatingip")
    .find((floatingIp) => floatingIp.floating_ip_address === address);
  if (!found?.port_id || !state.isPast(found.active_at)) return undefined;
  const port = state.records.get("port", found.port_id);
  const fixed = port?.fixed_ips.find(({ ip_address }) => ip_address === found.fixed_ip_address);
  const isRouted = fixed && routerBetween(state, fixed.subnet_id, found.floating_network_id);
  return isRouted ? fixed.ip_address : undefined;
}
