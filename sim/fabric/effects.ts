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
  /** The gateway; null if the subnet has none. */
  gateway: string | null;
  dnsServers: string[];
  vlan: number;
  /** Whether the subnet has a router; without one nothing outside is reachable. */
  isRouted: boolean;
}

/** The network of a NIC's switch port. */
export interface Segment {
  /** Its prefixes with a router but without DHCP by the fabric: the router relays DHCP requests. */
  relayed: string[];
}

/** The network of the switch port that a NIC is cabled to; undefined where it is in none. */
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
 * The DHCP answer to a NIC: an address only when the switch port that it is cabled to is in the VLAN of a network that
 * has a bound port with its MAC, and the subnet has a DHCP agent.
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

/** The inside address of a floating IP; undefined while it has none. */
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
