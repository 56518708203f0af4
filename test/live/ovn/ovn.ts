import { execFileSync } from "node:child_process";
import { isDeepStrictEqual } from "node:util";
import { protocolNumber } from "../../../sim/fabric/protocols.ts";
import type { PortRecord, RuleRecord, SubnetRecord } from "../../../sim/fabric/records.ts";
import type { FabricState } from "../../../sim/fabric/state.ts";

/**
 * A simulated fabric, as Neutron's driver for OVN would write it, and OVN's answer to a packet. A switch is a
 * network, a port group is a security group, and what no group of a port allows is dropped.
 */

/** The port of the outside world on the outside network. */
const world = "outside";
const worldMac = "02:00:00:00:00:01";
const dropped = "held";

const isV6 = (address: string): boolean => address.includes(":");
const groupName = (id: string): string => `pg_${id.replaceAll("-", "_")}`;
const lengthOf = (subnet: SubnetRecord | undefined): string => subnet?.cidr.split("/")[1] ?? "";

/** Empties OVN and writes what is on the fabric into it. */
export function program(state: FabricState): void {
  const tables = ["Logical_Switch", "Logical_Router", "Port_Group"];
  nbctl(tables.map((table) => ["--all", "destroy", table]));
  nbctl([...switches(state), ...routers(state), ...groups(state)]);
}

/** Runs all commands in one transaction, and waits until the flows of packets are made of it. */
function nbctl(commands: string[][]): void {
  const joined = commands.flatMap((command) => ["--", ...command]);
  execFileSync("ovn-nbctl", ["--wait=sb", ...joined], { stdio: "pipe" });
}

const isOfRouter = ({ device_owner }: PortRecord): boolean =>
  device_owner.startsWith("network:router_");

function* switches(state: FabricState): Generator<string[]> {
  for (const { id, external } of state.records.all("network")) {
    yield ["ls-add", id];
    if (!external) continue;
    const { gateway } = state.context.settings.external;
    yield [
      "lsp-add",
      id,
      world,
      "--",
      "lsp-set-addresses",
      world,
      `${worldMac} ${gateway} unknown`,
    ];
  }
  for (const port of state.records.all("port")) {
    if (port.device_owner === "network:dhcp") continue;
    yield ["lsp-add", port.network_id, port.id];
    if (isOfRouter(port)) {
      yield ["lsp-set-type", port.id, "router"];
      yield ["lsp-set-addresses", port.id, "router"];
      yield ["lsp-set-options", port.id, `router-port=lrp-${port.id}`, "nat-addresses=router"];
      continue;
    }
    const addresses = [port.mac_address, ...port.fixed_ips.map((one) => one.ip_address)].join(" ");
    yield ["lsp-set-addresses", port.id, addresses];
    if (port.port_security_enabled) yield ["lsp-set-port-security", port.id, addresses];
  }
}

function* routers(state: FabricState): Generator<string[]> {
  const ports = state.records.all("port").filter(isOfRouter);
  const gateways = ports.filter(({ device_owner }) => device_owner === "network:router_gateway");
  for (const { id, admin_state_up: isUp } of state.records.all("router")) {
    yield ["lr-add", id, "--", "set", "Logical_Router", id, `enabled=${isUp}`];
  }
  for (const port of ports) {
    const addresses = port.fixed_ips.map(
      ({ ip_address, subnet_id }) =>
        `${ip_address}/${lengthOf(state.records.get("subnet", subnet_id))}`,
    );
    yield ["lrp-add", port.device_id, `lrp-${port.id}`, port.mac_address, ...addresses];
  }
  for (const port of gateways) {
    yield ["lrp-set-gateway-chassis", `lrp-${port.id}`, "chassis", "1"];
    const { gateway } = state.context.settings.external;
    yield ["lr-route-add", port.device_id, "0.0.0.0/0", gateway, `lrp-${port.id}`];
    yield* translations(state, port, ports);
  }
}

function* translations(
  state: FabricState,
  { device_id: router, fixed_ips: [own] }: PortRecord,
  ports: PortRecord[],
): Generator<string[]> {
  const inside = ports.filter(
    (port) => port.device_id === router && port.device_owner === "network:router_interface",
  );
  const isTranslated = state.records.get("router", router)?.enable_snat;
  for (const { subnet_id } of isTranslated ? inside.flatMap((port) => port.fixed_ips) : []) {
    const cidr = state.records.get("subnet", subnet_id)?.cidr;
    if (own && cidr && !isV6(cidr)) yield ["lr-nat-add", router, "snat", own.ip_address, cidr];
  }
  for (const one of state.records.all("floatingip")) {
    if (one.router_id !== router || one.fixed_ip_address === null) continue;
    const { floating_ip_address: outer, fixed_ip_address: inner } = one;
    // The other routers know who answers for it, as if they had asked by ARP.
    yield ["--add-route", "lr-nat-add", router, "dnat_and_snat", outer, inner];
  }
}

const outsideAddresses = (state: FabricState, gateway: PortRecord): string[] => [
  ...gateway.fixed_ips.map(({ ip_address }) => ip_address),
  ...state.records
    .all("floatingip")
    .filter(({ router_id }) => router_id === gateway.device_id)
    .map(({ floating_ip_address }) => floating_ip_address),
];

function* groups(state: FabricState): Generator<string[]> {
  const held = state.records.all("port").filter((port) => port.port_security_enabled);
  yield ["pg-add", dropped, ...held.map(({ id }) => id)];
  yield ["acl-add", dropped, "from-lport", "1001", `inport == @${dropped} && ip`, "drop"];
  yield ["acl-add", dropped, "to-lport", "1001", `outport == @${dropped} && ip`, "drop"];
  for (const { id } of state.records.all("security_group")) {
    const members = held.filter((port) => port.security_groups.includes(id));
    yield ["pg-add", groupName(id), ...members.map((port) => port.id)];
  }
  const seen: string[][] = [];
  for (const rule of state.records.all("security_group_rule")) {
    const command = accessRule(rule);
    // OVN takes a rule once.
    if (seen.some((one) => isDeepStrictEqual(one, command))) continue;
    seen.push(command);
    yield command;
  }
}

function accessRule(rule: RuleRecord): string[] {
  const group = groupName(rule.security_group_id);
  const isIn = rule.direction === "ingress";
  const ip = rule.ethertype === "IPv4" ? "ip4" : "ip6";
  const other = `${ip}.${isIn ? "src" : "dst"}`;
  const match = [
    isIn ? `outport == @${group}` : `inport == @${group}`,
    ip,
    ...(rule.remote_ip_prefix === null ? [] : [`${other} == ${canonical(rule.remote_ip_prefix)}`]),
    ...(rule.remote_group_id === null
      ? []
      : [`${other} == $${groupName(rule.remote_group_id)}_${ip}`]),
    ...protocolMatch(rule),
  ].join(" && ");
  const direction = isIn ? "to-lport" : "from-lport";
  return ["--may-exist", "acl-add", group, direction, "1002", match, "allow-related"];
}

/** OVN refuses a prefix whose host bits are set. */
const canonical = (prefix: string): string => {
  const [address = "", length = ""] = prefix.split("/");
  const mask = isV6(address) ? undefined : Number(length);
  if (mask === undefined) return prefix;
  const number = address.split(".").reduce((sum, byte) => sum * 256 + Number(byte), 0);
  const first = number - (number % 2 ** (32 - mask));
  return `${[24, 16, 8, 0].map((shift) => (first >>> shift) & 255).join(".")}/${length}`;
};

function protocolMatch({
  protocol,
  ethertype,
  port_range_min: min,
  port_range_max: max,
}: RuleRecord) {
  const number = protocolNumber(protocol, ethertype === "IPv4" ? 4 : 6);
  if (number === null) return [];
  const name = { 1: "icmp4", 6: "tcp", 17: "udp", 58: "icmp6" }[number];
  if (name === undefined) return [`ip.proto == ${number}`];
  if (min === null) return [name];
  if (name.startsWith("icmp")) {
    return [name, `${name}.type == ${min}`, ...(max === null ? [] : [`${name}.code == ${max}`])];
  }
  return [name, `${name}.dst >= ${min}`, `${name}.dst <= ${max}`];
}

export interface Traced {
  from: PortRecord | "outside";
  source: string;
  destination: string;
  protocol: "tcp" | "udp" | "icmp";
  port: number;
}

/**
 * Where OVN takes a packet, and the source that is seen there; undefined where nobody gets it. A packet that leaves its
 * router by the way outside under an address from inside has got nowhere: no reply would find it.
 */
export function trace(
  state: FabricState,
  packet: Traced,
): { at: string; source: string } | undefined {
  const { from, source, destination } = packet;
  const outside = state.records.all("network").find(({ external }) => external)?.id ?? "";
  const hop = from === "outside" ? holderOutside(state, destination) : nextHop(state, from, packet);
  if (!hop) return undefined;
  const [network, port, mac] =
    from === "outside" ? [outside, world, worldMac] : [from.network_id, from.id, from.mac_address];
  const ip = isV6(destination) ? "ip6" : "ip4";
  const match = [
    `inport == "${port}"`,
    `eth.src == ${mac}`,
    `eth.dst == ${hop.mac_address}`,
    `${ip}.src == ${source}`,
    `${ip}.dst == ${destination}`,
    "ip.ttl == 64",
    ...protocolOf(packet, ip),
  ].join(" && ");
  // Every connection that it passes is a new one.
  const connections = Array.from({ length: 8 }, () => "--ct=new");
  const options = ["--minimal", "--no-friendly-names", ...connections];
  const said = execFileSync("ovn-trace", [...options, network, match], { encoding: "utf8" });
  const at = said.match(/(?<=output\(")[^"]+(?="\))/g)?.at(-1);
  // What comes back is the answer of a router to a packet for itself: nobody got that.
  if (at === undefined || at === port) return undefined;
  const seen = said.match(/(?<=ct_snat\w*\(ip4\.src=)[\d.]+/g)?.at(-1);
  const leaves = from !== "outside" && isOutside(state, from, destination);
  return leaves && seen === undefined ? undefined : { at, source: seen ?? source };
}

const protocolOf = ({ protocol, port }: Traced, ip: string): string[] => {
  if (protocol !== "icmp")
    return [protocol, `${protocol}.dst == ${port}`, `${protocol}.src == 40000`];
  const name = ip === "ip4" ? "icmp4" : "icmp6";
  return [name, `${name}.type == ${port}`, `${name}.code == 0`];
};

/** Who answers for an address on the outside network. */
const holderOutside = (state: FabricState, address: string): PortRecord | undefined =>
  state.records
    .all("port")
    .filter(({ device_owner }) => device_owner === "network:router_gateway")
    .find((gateway) => outsideAddresses(state, gateway).includes(address));

/** Who answers a NIC that asks for the receiver, or for the gateway of its own subnet. */
function nextHop(state: FabricState, from: PortRecord, { source, destination }: Traced) {
  const subnet = subnetOf(state, from, source);
  if (!subnet) return undefined;
  const wanted = holds(subnet, destination) ? destination : subnet.gateway_ip;
  return state.records
    .all("port")
    .find(
      (port) =>
        port.network_id === from.network_id &&
        port.fixed_ips.some(({ ip_address }) => ip_address === wanted),
    );
}

function subnetOf(state: FabricState, from: PortRecord, source: string): SubnetRecord | undefined {
  const own = from.fixed_ips.find(({ ip_address }) => ip_address === source);
  return own && state.records.get("subnet", own.subnet_id);
}

/** Prefixes here are of 24 bits, or of 64: all but the last part, or the last four, is the subnet's. */
const holds = ({ cidr }: SubnetRecord, address: string): boolean =>
  isV6(cidr) === isV6(address) &&
  (isV6(cidr)
    ? address.startsWith(cidr.replace(/::\/64$/, "::"))
    : address.startsWith(cidr.replace(/0\/24$/, "")));

/** Whether an address is in no subnet that the router of a NIC's subnet is connected to. */
function isOutside(state: FabricState, from: PortRecord, address: string): boolean {
  const router = state.records
    .all("port")
    .find(
      (port) =>
        port.network_id === from.network_id && port.device_owner === "network:router_interface",
    )?.device_id;
  const inside = state.records
    .all("port")
    .filter((port) => port.device_id === router && port.device_owner === "network:router_interface")
    .flatMap((port) => port.fixed_ips)
    .flatMap(({ subnet_id }) => state.records.get("subnet", subnet_id) ?? []);
  return ![
    ...inside,
    ...from.fixed_ips.flatMap((one) => state.records.get("subnet", one.subnet_id) ?? []),
  ].some((subnet) => holds(subnet, address));
}
