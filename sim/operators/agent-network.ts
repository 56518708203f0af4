import ipaddr from "ipaddr.js";
import { durations } from "../durations.ts";
import type { Host } from "../host.ts";
import type { SiteEffects } from "../site-effects.ts";
import type { HubWorld } from "./hub.ts";
import type { Agent } from "./objects.ts";

/** The state of a host's network. */
export interface HostNetwork {
  /** The addresses of each NIC, in the order of the NICs, such as 10.0.3.10/26. */
  addresses: string[][];
  /** Whether one of the networks has a route to the hub. */
  isConnected: boolean;
}

/**
 * The current network of a host. A NIC whose switch port is in no VLAN is on the hub's discovery network, where only
 * the first NIC, which boots there, has an address. A NIC in a VLAN has its DHCP address.
 */
export function networkOf({ nics, address }: Host, site: SiteEffects): HostNetwork {
  const found = nics.map(({ mac, switch: name, port }, index) => {
    if (site.isInVlan(name, port)) {
      const lease = site.leaseOf(mac);
      if (!lease) return { addresses: [], isConnected: false };
      const { isRouted } = lease;
      return { addresses: [`${lease.address}/${lease.prefixLength}`], isConnected: isRouted };
    }
    return index === 0
      ? { addresses: [`${address}/16`], isConnected: true }
      : { addresses: [], isConnected: false };
  });
  return {
    addresses: found.map(({ addresses }) => addresses),
    isConnected: found.some(({ isConnected }) => isConnected),
  };
}

/** Whether a host gets its address on the discovery network: its first NIC is in no VLAN. */
export const isOnDiscoveryNetwork = ({ nics: [first] }: Host, site: SiteEffects): boolean =>
  first !== undefined && !site.isInVlan(first.switch, first.port);

/** Whether a host has an address in the subnet of `address`. */
export function isOnNetworkOf({ nics }: Host, address: string, site: SiteEffects): boolean {
  return nics.some(({ mac }) => {
    const lease = site.leaseOf(mac);
    if (!lease) return false;
    const subnet = ipaddr.IPv4.parseCIDR(`${lease.address}/${lease.prefixLength}`);
    return ipaddr.IPv4.parse(address).match(subnet);
  });
}

/** The mark of a lost connection. */
const lost = "disconnected";
/** The mark of a network that has changed since the agent's last report. */
const changing = "network";

/** The network of an agent's host as last reported to the hub, and when to check again. */
export function reportedNetwork(
  { cluster, marks, site, holds }: Pick<HubWorld, "cluster" | "marks" | "site" | "holds">,
  agent: Agent,
  host: Host,
): { network: HostNetwork; again: number | undefined } {
  const { uid } = agent.metadata;
  const actual = networkOf(host, site);
  const told: HostNetwork = {
    addresses: (agent.status?.inventory?.interfaces ?? []).map((nic) => nic.ipV4Addresses),
    isConnected: marks.get(uid, lost) === undefined,
  };
  if (isSame(actual, told)) {
    marks.clear(uid, changing);
    return { network: told, again: undefined };
  }
  if (holds("network", host)) return { network: told, again: cluster.clock.now() + durations.held };
  const due = marks.begin(uid, changing) + durations.agentNetwork;
  if (cluster.clock.now() < due) return { network: told, again: due };
  marks.clear(uid, changing);
  if (actual.isConnected) marks.clear(uid, lost);
  else marks.begin(uid, lost);
  return { network: actual, again: undefined };
}

const isSame = (a: HostNetwork, b: HostNetwork): boolean => JSON.stringify(a) === JSON.stringify(b);
