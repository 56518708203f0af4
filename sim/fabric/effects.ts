import { prefixLength } from "./addresses.ts";
import { grouped } from "./derived.ts";
import { hasDhcp } from "./dhcp.ts";
import type { PortRecord } from "./records.ts";
import { routerBetween } from "./routers.ts";
import type { Cable, FabricState } from "./state.ts";
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
  const [cable] = cablesOf(state.context.cables(), mac.toLowerCase());
  const vlan = cable && vlanOf(state, cable);
  if (vlan === undefined) return undefined;
  const network = state.records.all("network").find((one) => one.vlan === vlan);
  const relayed = state.records
    .all("subnet")
    .filter(
      (subnet) =>
        subnet.network_id === network?.id &&
        !subnet.enable_dhcp &&
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
  const wanted = mac.toLowerCase();
  const [cable] = cablesOf(state.context.cables(), wanted);
  const vlan = cable && vlanOf(state, cable);
  if (vlan === undefined) return undefined;
  const network = state.records.all("network").find((one) => one.vlan === vlan);
  const port = portsOf(state.records.all("port"), wanted).find(
    (one) => one.network_id === network?.id,
  );
  if (!port || !state.isPast(port.active_at)) return undefined;
  for (const { subnet_id, ip_address: address } of port.fixed_ips) {
    const subnet = state.records.get("subnet", subnet_id);
    if (!subnet?.enable_dhcp || !hasDhcp(state, subnet)) continue;
    return {
      address,
      prefixLength: prefixLength(subnet.cidr),
      gateway: subnet.gateway_ip,
      dnsServers: subnet.dns_nameservers,
      vlan,
      isRouted: routerBetween(state, subnet.id) !== undefined,
    };
  }
  return undefined;
}

const cablesOf = grouped(({ mac }: Cable) => mac.toLowerCase());
const portsOf = grouped(({ mac_address }: PortRecord) => mac_address);

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
