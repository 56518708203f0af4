import type { Fate, Place, Protocol } from "../packets/packets.ts";
import { isPublic, stop } from "../packets/packets.ts";
import {
  canonicalAddress,
  contains,
  isAddress,
  type Range,
  rangeOf,
  single,
  type Version,
  versionOf,
} from "./addresses.ts";
import { derived, grouped } from "./derived.ts";
import { gatewayPortOf } from "./gateways.ts";
import { addressesOfGroups, addressOf, type Nic, nicAt, nicWith, portWith } from "./nics.ts";
import { protocolNumber } from "./protocols.ts";
import type {
  FloatingIpRecord,
  NetworkRecord,
  RouterRecord,
  RuleRecord,
  SubnetRecord,
} from "./records.ts";
import { interfacesOf } from "./routers.ts";
import { rulesOf } from "./security-groups.ts";
import type { FabricState } from "./state.ts";

/**
 * Routes packets by the fabric's configuration: VLANs of switch ports, subnets, routers and their gateways, floating
 * IPs, security groups. A packet whose replies could not return does not count as arrived.
 */

interface Packet {
  version: Version;
  source: string;
  destination: string;
  protocol: number;
  /** The receiver's port; for ICMP, the type. */
  port: number;
}

export function reaches(
  state: FabricState,
  from: Place,
  to: Place,
  { protocol, port }: { protocol: Protocol; port: number },
): Fate {
  const sender = "nic" in from ? nicAt(state, from.nic) : canonicalAddress(from.address);
  if ("nic" in from && typeof sender === "string") return stop("sender", sender);
  const destination = destinationOf(state, to);
  if (!destination) return stop("receiver", "the receiver is in no network");
  const version = versionOf(destination);
  const number = protocolNumber(protocol, version) ?? 0;
  const rest = { version, destination, protocol: number, port };
  const fate =
    typeof sender === "string"
      ? fromOutside(state, { ...rest, source: sender })
      : fromNic(state, sender, rest);
  if (!fate.arrives || !("nic" in to) || fate.at === to.nic.toLowerCase()) return fate;
  return stop("elsewhere", `${fate.at} has the address ${destination} there`);
}

function destinationOf(state: FabricState, to: Place): string | undefined {
  if ("address" in to) return isAddress(to.address) ? canonicalAddress(to.address) : undefined;
  const nic = nicAt(state, to.nic);
  return typeof nic === "string" ? undefined : addressOf(nic)?.ip_address;
}

function fromNic(state: FabricState, nic: Nic, rest: Omit<Packet, "source">): Fate {
  const own = addressOf(nic, rest.version);
  const subnet = own && state.records.get("subnet", own.subnet_id);
  if (!own || !subnet) {
    return stop("sender", `the NIC ${nic.mac} has no address of IPv${rest.version}`);
  }
  const packet = { ...rest, source: own.ip_address };
  if (!passes(state, nic, "egress", packet)) {
    return stop("egress group", `no rule lets the packet out of the NIC ${nic.mac}`);
  }
  if (isIn(subnet, packet.destination)) return deliver(state, nic.network.id, packet);
  const router = routerOf(state, subnet);
  if (!router) return stop("router", `the subnet ${subnet.id} has no router`);
  const next = subnetsAt(state, router).find((one) => isIn(one, packet.destination));
  return next ? forward(state, router, next, packet) : goOut(state, router, own.ip_address, packet);
}

/** Delivers a packet to its NIC in a network. */
function deliver(state: FabricState, network: string, packet: Packet): Fate {
  const nic = nicWith(state, network, packet.destination);
  if (typeof nic === "string") return stop("receiver", nic);
  if (!passes(state, nic, "ingress", packet)) {
    return stop("ingress group", `no rule lets the packet in to the NIC ${nic.mac}`);
  }
  return { arrives: true, at: nic.mac, source: packet.source };
}

/** Forwards a packet from a router to one of its subnets; the replies must return through the same router. */
function forward(
  state: FabricState,
  router: RouterRecord,
  subnet: SubnetRecord,
  packet: Packet,
): Fate {
  if (routerOf(state, subnet)?.id !== router.id) {
    return stop(
      "router",
      `replies from the subnet ${subnet.id} do not come back by the router ${router.id}`,
    );
  }
  return deliver(state, subnet.network_id, packet);
}

/** Sends a packet outside, with the sender's translated address. */
function goOut(state: FabricState, router: RouterRecord, own: string, packet: Packet): Fate {
  const source = sourceOutside(state, router, own);
  if (source === undefined) {
    return stop("router", `the router ${router.id} has no way outside for ${own}`);
  }
  const outside = { ...packet, source };
  if (isOfOutsideNetwork(state, packet.destination)) return fromOutside(state, outside);
  if (!isPublic(packet.destination)) {
    return stop("outside", `no host outside has the address ${packet.destination}`);
  }
  return { arrives: true, at: packet.destination, source };
}

/** The source address outside: the sender's floating IP, or its router's address. */
function sourceOutside(state: FabricState, router: RouterRecord, own: string): string | undefined {
  const gateway = gatewayPortOf(state, router.id);
  if (!gateway || versionOf(own) !== 4) return undefined;
  const ours = floatingIpsOf(state.records.all("floatingip"), router.id).find(
    (one) => one.fixed_ip_address === own && state.isPast(one.active_at),
  );
  if (ours) return ours.floating_ip_address;
  if (!router.enable_snat) return undefined;
  return gateway.fixed_ips.find(({ ip_address }) => versionOf(ip_address) === 4)?.ip_address;
}

/** Delivers a packet from outside to the port of a floating IP. */
function fromOutside(state: FabricState, packet: Packet): Fate {
  const found = floatingIpsAt(state.records.all("floatingip"), packet.destination)[0];
  const { fixed_ip_address: fixed, port_id, router_id } = found ?? {};
  if (!found || !fixed || !port_id || !router_id || !state.isPast(found.active_at)) {
    return stop("outside", `no floating IP leads in from ${packet.destination}`);
  }
  const port = state.records.get("port", port_id);
  const at = port?.fixed_ips.find(({ ip_address }) => ip_address === fixed);
  const subnet = at && state.records.get("subnet", at.subnet_id);
  const router = state.records.get("router", router_id);
  const isUp = router?.admin_state_up && router.gateway_network === found.floating_network_id;
  if (!subnet || !router || !isUp) {
    return stop("router", `the router of the floating IP ${packet.destination} does not lead in`);
  }
  return forward(state, router, subnet, { ...packet, destination: fixed });
}

const floatingIpsAt = grouped((one: FloatingIpRecord) => one.floating_ip_address);
const floatingIpsOf = grouped((one: FloatingIpRecord) => one.router_id ?? undefined);

/** The router that has the gateway address of a subnet. */
function routerOf(state: FabricState, subnet: SubnetRecord): RouterRecord | undefined {
  if (subnet.gateway_ip === null) return undefined;
  const port = portWith(state, subnet.network_id, subnet.gateway_ip);
  if (port?.device_owner !== "network:router_interface" || !state.isPast(port.active_at)) {
    return undefined;
  }
  const router = state.records.get("router", port.device_id);
  return router?.admin_state_up ? router : undefined;
}

/** The subnets that a router is connected to. */
const subnetsAt = (state: FabricState, router: RouterRecord): SubnetRecord[] =>
  interfacesOf(state, router.id)
    .filter(({ active_at }) => state.isPast(active_at))
    .flatMap(({ fixed_ips }) => fixed_ips)
    .flatMap(({ subnet_id }) => state.records.get("subnet", subnet_id) ?? []);

const isOfOutsideNetwork = (state: FabricState, address: string): boolean =>
  outsideNetworks(state.records.all("network")).some((network) =>
    state.records
      .all("subnet")
      .some((subnet) => subnet.network_id === network.id && isIn(subnet, address)),
  );

const outsideNetworks = derived((networks: readonly NetworkRecord[]) =>
  networks.filter(({ external }) => external),
);

/** Whether a rule of a NIC's groups permits a packet. */
function passes(
  state: FabricState,
  nic: Nic,
  direction: RuleRecord["direction"],
  packet: Packet,
): boolean {
  if (!nic.groups) return true;
  const other = direction === "egress" ? packet.destination : packet.source;
  return nic.groups.some((group) =>
    rulesOf(state, group).some(
      (rule) => rule.direction === direction && allows(state, rule, packet, other),
    ),
  );
}

function allows(state: FabricState, rule: RuleRecord, packet: Packet, other: string): boolean {
  if (rule.ethertype !== `IPv${packet.version}` || !isFor(rule, packet)) return false;
  const prefix = prefixOf(rule);
  if (prefix) return contains(prefix, numberOf(other));
  const { remote_group_id: group } = rule;
  if (group === null) return true;
  return addressesOfGroups(state.records.all("port")).get(group)?.has(other) ?? false;
}

function isFor(rule: RuleRecord, { protocol, port, version }: Packet): boolean {
  const wanted = protocolNumber(rule.protocol, version);
  if (wanted !== null && wanted !== protocol) return false;
  const { port_range_min: min, port_range_max: max } = rule;
  if (min === null) return true;
  // For ICMP these are type and code; the code of packets here is 0.
  if (wanted === 1 || wanted === 58) return min === port && (max === null || max === 0);
  return min <= port && port <= (max ?? min);
}

const prefixOf = derived(({ remote_ip_prefix: prefix }: RuleRecord) =>
  prefix === null ? undefined : rangeOf(prefix),
);
const subnetRange = derived(({ cidr }: SubnetRecord) => rangeOf(cidr));

const isIn = (subnet: SubnetRecord, address: string): boolean =>
  contains(subnetRange(subnet), numberOf(address));

/** Parsed addresses, cached because few different ones occur. */
const numbers = new Map<string, Range>();

function numberOf(address: string): Range {
  const known = numbers.get(address);
  if (known) return known;
  const range = single(address);
  if (numbers.size >= 10_000) numbers.clear();
  numbers.set(address, range);
  return range;
}
