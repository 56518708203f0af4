import { type Version, versionOf } from "./addresses.ts";
import { derived, grouped } from "./derived.ts";
import type { FixedIp, NetworkRecord, PortRecord } from "./records.ts";
import type { Cable, FabricState } from "./state.ts";
import { residueAt, vlanOf } from "./switches.ts";

/** The network and the addresses of a NIC, by its cable and its switch port. */

const networksByVlan = grouped(({ vlan }: NetworkRecord) =>
  vlan === null ? undefined : `${vlan}`,
);
const cablesByMac = grouped(({ mac }: Cable) => mac.toLowerCase());
const portsByMac = grouped(({ mac_address }: PortRecord) => mac_address);

export const cableOf = (state: FabricState, mac: string): Cable | undefined =>
  cablesByMac(state.context.cables(), mac.toLowerCase())[0];

/** The network whose VLAN a cable's switch port is in. */
export function networkAt(state: FabricState, cable: Cable): NetworkRecord | undefined {
  const vlan = vlanOf(state, cable);
  if (vlan === undefined) return undefined;
  return networksByVlan(state.records.all("network"), `${vlan}`)[0];
}

/** The ports with this MAC address, at most one in each network. */
export const portsOf = (state: FabricState, mac: string): readonly PortRecord[] =>
  portsByMac(state.records.all("port"), mac.toLowerCase());

/** A NIC in a network. */
export interface Nic {
  mac: string;
  network: NetworkRecord;
  fixedIps: readonly FixedIp[];
  /** The security groups that its switch port enforces; undefined if it enforces none. */
  groups: readonly string[] | undefined;
}

/**
 * A NIC by its switch port. Where the switch port kept a VLAN after a failed removal, the NIC keeps its addresses,
 * without any rules. Returns the reason for a NIC in no network.
 */
export function nicAt(state: FabricState, mac: string): Nic | string {
  const wanted = mac.toLowerCase();
  const cable = cableOf(state, wanted);
  if (!cable) return `no cable leads to the NIC ${wanted}`;
  const network = networkAt(state, cable);
  if (!network) return `the switch port of the NIC ${wanted} is in no network`;
  const port = portsOf(state, wanted).find(
    ({ network_id, plugged, active_at }) =>
      network_id === network.id && plugged !== null && state.isPast(active_at),
  );
  if (port) return nicOf(state, port, network);
  const residue = residueAt(state, cable);
  if (residue?.mac_address === wanted) {
    return { mac: wanted, network, fixedIps: residue.fixed_ips, groups: undefined };
  }
  return `the NIC ${wanted} has no address in the network ${network.id}`;
}

function nicOf(state: FabricState, port: PortRecord, network: NetworkRecord): Nic {
  const isHeld = port.port_security_enabled && state.context.settings.switchesEnforceGroups;
  const groups = isHeld ? port.security_groups : undefined;
  return { mac: port.mac_address, network, fixedIps: port.fixed_ips, groups };
}

/** A port without a machine, which reserves its addresses for another announcer in the network. */
const isForNobody = ({ host_id, vnic_type }: PortRecord): boolean =>
  host_id === "" && vnic_type === "normal";

/** The NIC that answers for such an address. The port's groups apply as to any other port. */
function announced(state: FabricState, port: PortRecord): Nic | string {
  const network = state.records.get("network", port.network_id);
  return network ? nicOf(state, port, network) : `the port ${port.id} is in no network`;
}

/** A NIC's address of this IP version; else its first one, IPv4 before IPv6. */
export function addressOf({ fixedIps }: Nic, version?: Version): FixedIp | undefined {
  const first = (wanted: Version) =>
    fixedIps.find(({ ip_address }) => versionOf(ip_address) === wanted);
  return version === undefined ? (first(4) ?? first(6)) : first(version);
}

interface Holder {
  place: string;
  port: PortRecord;
}

const placeOf = (network: string, address: string): string => `${network} ${address}`;

const allHolders = derived((ports: readonly PortRecord[]): readonly Holder[] =>
  ports.flatMap((port) =>
    port.fixed_ips.map(({ ip_address }) => ({ place: placeOf(port.network_id, ip_address), port })),
  ),
);
const holdersAt = grouped(({ place }: Holder) => place);

/** The port with an address in a network. */
export const portWith = (
  state: FabricState,
  network: string,
  address: string,
): PortRecord | undefined =>
  holdersAt(allHolders(state.records.all("port")), placeOf(network, address))[0]?.port;

/** The NIC that answers at an address of a network, or the reason why none does. */
export function nicWith(state: FabricState, network: string, address: string): Nic | string {
  const port = portWith(state, network, address);
  const residue = state.records
    .all("residue")
    .find(
      ({ network_id, fixed_ips }) =>
        network_id === network && fixed_ips.some(({ ip_address }) => ip_address === address),
    );
  const mac = port?.mac_address ?? residue?.mac_address;
  if (mac === undefined) return `no port has the address ${address}`;
  if (port?.device_owner.startsWith("network:")) return `${address} is the fabric's own`;
  if (port && isForNobody(port)) return announced(state, port);
  const nic = nicAt(state, mac);
  if (typeof nic === "string") return nic;
  const isThere = nic.network.id === network;
  return isThere ? nic : `the NIC ${mac} is not in the network of ${address}`;
}

/** The addresses of security groups' members, by group. */
export const addressesOfGroups = derived((ports: readonly PortRecord[]) => {
  const groups = new Map<string, Set<string>>();
  for (const { security_groups: ids, fixed_ips } of ports) {
    for (const id of ids) {
      const addresses = groups.get(id) ?? new Set();
      for (const { ip_address } of fixed_ips) addresses.add(ip_address);
      groups.set(id, addresses);
    }
  }
  return groups;
});
