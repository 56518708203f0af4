import * as z from "zod";
import {
  canonicalAddress,
  canonicalCidr,
  contains,
  defaultPools,
  isAddress,
  isCidr,
  overlaps,
  poolRange,
  prefixLength,
  rangeOf,
  single,
  textOf,
  versionOf,
} from "./addresses.ts";
import { delays } from "./delays.ts";
import { conflict, invalidInput, NeutronFault } from "./error.ts";
import { networkOf, subnetsOf } from "./networks.ts";
import { ipv6Modes, type SubnetRecord } from "./records.ts";
import { given, named, resource } from "./resource.ts";

const address = z.string().refine(isAddress, "is not a valid IP address");
const cidr = z.string().refine(isCidr, "is not a valid IP subnet");

const nameServers = z.array(address).superRefine((servers, context) => {
  const twice = servers.find((server, n) => servers.indexOf(server) !== n);
  if (twice) context.addIssue({ code: "custom", message: `Duplicate nameserver '${twice}'` });
});

const changeable = {
  ...named,
  gateway_ip: address.nullish(),
  allocation_pools: z.array(z.strictObject({ start: address, end: address })).optional(),
  dns_nameservers: nameServers.optional(),
  host_routes: z.array(z.strictObject({ destination: cidr, nexthop: address })).optional(),
};

const created = z.strictObject({
  ...changeable,
  network_id: z.string(),
  ip_version: z.literal([4, 6]),
  cidr: z.string(),
  enable_dhcp: z.boolean().default(true),
  ipv6_ra_mode: z.enum(ipv6Modes).nullish(),
  ipv6_address_mode: z.enum(ipv6Modes).nullish(),
});

const updated = z.strictObject({ ...changeable, enable_dhcp: z.boolean().optional() });

export const subnets = resource({
  kind: "subnet",
  collection: "subnets",
  missing: { type: "SubnetNotFound", text: (id) => `Subnet ${id} could not be found.` },
  create: created,
  update: updated,

  make(state, input) {
    const network = networkOf(state, input.network_id);
    requireFamily(input);
    const prefix = canonicalCidr(input.cidr);
    const other = subnetsOf(state, network.id).find((one) =>
      overlaps(rangeOf(one.cidr), rangeOf(prefix)),
    );
    if (other) {
      throw invalidInput(
        `Requested subnet with cidr: ${prefix} for network: ${network.id} overlaps with another subnet`,
      );
    }
    const gateway =
      input.gateway_ip === undefined ? firstHost(prefix) : canonical(input.gateway_ip);
    const pools = input.allocation_pools ?? defaultPools(prefix, gateway);
    requirePools(prefix, pools, gateway);
    requireNameServers(input.dns_nameservers, prefix, "new subnet");
    return state.make("subnet", {
      ...given({ name: input.name, description: input.description }),
      network_id: network.id,
      cidr: prefix,
      gateway_ip: gateway,
      enable_dhcp: input.enable_dhcp,
      allocation_pools: pools,
      dns_nameservers: input.dns_nameservers ?? [],
      host_routes: input.host_routes ?? [],
      ipv6_ra_mode: input.ipv6_ra_mode ?? null,
      ipv6_address_mode: input.ipv6_address_mode ?? null,
      dhcp_at: input.enable_dhcp ? state.now() + delays.dhcp : null,
    });
  },

  change(state, subnet, input) {
    const { gateway_ip: wantedGateway, ...rest } = input;
    const gateway = wantedGateway === undefined ? subnet.gateway_ip : canonical(wantedGateway);
    const { allocation_pools: pools = subnet.allocation_pools, enable_dhcp: wanted } = input;
    requirePools(subnet.cidr, pools, gateway);
    requireNameServers(input.dns_nameservers, subnet.cidr, subnet.id);
    const dhcpAt = subnet.dhcp_at ?? state.now() + delays.dhcp;
    const dhcp = wanted === undefined ? {} : { dhcp_at: wanted ? dhcpAt : null };
    return state.change("subnet", subnet, { ...given(rest), gateway_ip: gateway, ...dhcp });
  },

  remove(state, subnet) {
    const { id } = subnet;
    const ports = state.records
      .all("port")
      .filter((port) => port.fixed_ips.some(({ subnet_id }) => subnet_id === id));
    if (ports.some((port) => port.device_owner !== "network:dhcp")) {
      throw conflict(
        "SubnetInUse",
        `Unable to complete operation on subnet ${id}: One or more ports have an IP allocation from this subnet.`,
      );
    }
    for (const port of ports) {
      const left = port.fixed_ips.filter(({ subnet_id }) => subnet_id !== id);
      if (left.length === 0) state.records.remove("port", port.id);
      else state.change("port", port, { fixed_ips: left });
    }
    state.records.remove("subnet", id);
  },

  view: (_state, { dhcp_at: _, ...subnet }) => ({
    network_id: subnet.network_id,
    ip_version: versionOf(subnet.cidr),
    cidr: subnet.cidr,
    gateway_ip: subnet.gateway_ip,
    enable_dhcp: subnet.enable_dhcp,
    allocation_pools: subnet.allocation_pools,
    dns_nameservers: subnet.dns_nameservers,
    host_routes: subnet.host_routes,
    ipv6_address_mode: subnet.ipv6_address_mode,
    ipv6_ra_mode: subnet.ipv6_ra_mode,
    subnetpool_id: null,
  }),
});

const firstHost = (prefix: string): string => {
  const { first, version } = rangeOf(prefix);
  return textOf(first + 1n, version);
};

const canonical = (address: string | null): string | null =>
  address === null ? null : canonicalAddress(address);

function requireFamily(input: z.infer<typeof created>): void {
  const { cidr: prefix, ip_version: version } = input;
  const { ipv6_ra_mode: ra, ipv6_address_mode: mode } = input;
  if (!isCidr(prefix)) throw invalidInput(`${prefix} is not in a CIDR format`);
  if (versionOf(prefix) !== version) {
    throw invalidInput(`cidr '${prefix}' does not match the ip_version '${version}'`);
  }
  const { first, last } = rangeOf(prefix);
  if (input.enable_dhcp && version === 4 && last - first < 3n) {
    throw invalidInput("Subnet has a prefix length that is incompatible with DHCP service enabled");
  }
  for (const [name, value] of Object.entries({ ipv6_ra_mode: ra, ipv6_address_mode: mode })) {
    if (value && version === 4) throw invalidInput(`${name} is not valid when ip_version is 4`);
  }
  if (!ra && !mode) return;
  if (!input.enable_dhcp) {
    throw invalidInput(
      "ipv6_ra_mode or ipv6_address_mode cannot be set when enable_dhcp is set to False",
    );
  }
  if (ra && mode && ra !== mode) {
    throw invalidInput(
      `ipv6_ra_mode set to '${ra}' with ipv6_address_mode set to '${mode}' is not valid. If both attributes are set, they must be the same value`,
    );
  }
  if ((mode ?? ra) !== "dhcpv6-stateful" && prefixLength(prefix) !== 64) {
    throw invalidInput(
      `Invalid CIDR ${prefix} for IPv6 address mode. OpenStack uses the EUI-64 address format, which requires the prefix to be /64`,
    );
  }
}

/** Neutron's default of `max_dns_nameservers`. */
const mostNameServers = 5;

function requireNameServers(servers: string[] | undefined, prefix: string, what: string): void {
  if (!servers) return;
  if (servers.length > mostNameServers) {
    throw new NeutronFault(
      400,
      "DNSNameServersExhausted",
      `Unable to complete operation for ${what}. The number of DNS nameservers exceeds the limit ${mostNameServers}.`,
    );
  }
  const version = versionOf(prefix);
  const other = servers.find((server) => versionOf(server) !== version);
  if (other === undefined) return;
  throw invalidInput(`dns_nameserver '${other}' does not match the ip_version '${version}'`);
}

function requirePools(
  prefix: string,
  pools: SubnetRecord["allocation_pools"],
  gateway: string | null,
): void {
  const range = rangeOf(prefix);
  if (gateway !== null && !contains(range, single(gateway))) {
    throw invalidInput("Gateway is not valid on subnet");
  }
  const ranges = pools.map(poolRange);
  for (const [index, pool] of ranges.entries()) {
    const { start, end } = pools[index] ?? { start: "", end: "" };
    if (pool.first > pool.last || !contains(range, pool)) {
      throw new NeutronFault(
        400,
        "OutOfBoundsAllocationPool",
        `The allocation pool ${start}-${end} spans beyond the subnet cidr ${prefix}.`,
      );
    }
    const other = ranges.slice(0, index).findIndex((one) => overlaps(one, pool));
    if (other >= 0) {
      throw conflict(
        "OverlappingAllocationPools",
        `Found overlapping allocation pools: ${pools[other]?.start}-${pools[other]?.end} ${start}-${end} for subnet ${prefix}.`,
      );
    }
    if (gateway !== null && contains(pool, single(gateway))) {
      throw conflict(
        "GatewayConflictWithAllocationPools",
        `Gateway ip ${gateway} conflicts with allocation pool ${start}-${end}.`,
      );
    }
  }
}
