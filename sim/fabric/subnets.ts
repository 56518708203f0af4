import * as z from "zod";
import {
  canonicalCidr,
  contains,
  defaultPools,
  isAddress,
  isCidr,
  overlaps,
  poolRange,
  rangeOf,
  single,
  textOf,
} from "./addresses.ts";
import { delays } from "./delays.ts";
import { conflict, invalidInput, NeutronFault } from "./error.ts";
import { networkOf, subnetsOf } from "./networks.ts";
import type { SubnetRecord } from "./records.ts";
import { given, named, resource } from "./resource.ts";

const address = z.string().refine(isAddress, "is not a valid IP address");
const cidr = z.string().refine(isCidr, "is not a valid IP subnet");

const changeable = {
  ...named,
  gateway_ip: address.nullish(),
  allocation_pools: z.array(z.strictObject({ start: address, end: address })).optional(),
  dns_nameservers: z.array(address).optional(),
  host_routes: z.array(z.strictObject({ destination: cidr, nexthop: address })).optional(),
};

const created = z.strictObject({
  ...changeable,
  network_id: z.string(),
  ip_version: z.literal(4),
  cidr,
  enable_dhcp: z.boolean().default(true),
});

const updated = z.strictObject({ ...changeable, enable_dhcp: z.boolean().optional() });

export const subnets = resource({
  kind: "subnet",
  collection: "subnets",
  missing: { type: "SubnetNotFound", noun: "Subnet" },
  create: created,
  update: updated,

  make(state, { ip_version: _, ...input }) {
    const network = networkOf(state, input.network_id);
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
      input.gateway_ip === undefined ? textOf(rangeOf(prefix).first + 1) : input.gateway_ip;
    const pools = input.allocation_pools ?? defaultPools(prefix, gateway);
    requirePools(prefix, pools, gateway);
    return state.make("subnet", {
      ...given({ name: input.name, description: input.description }),
      network_id: network.id,
      cidr: prefix,
      gateway_ip: gateway,
      enable_dhcp: input.enable_dhcp,
      allocation_pools: pools,
      dns_nameservers: input.dns_nameservers ?? [],
      host_routes: input.host_routes ?? [],
      dhcp_at: input.enable_dhcp ? state.now() + delays.dhcp : null,
    });
  },

  change(state, subnet, input) {
    const { gateway_ip: gateway = subnet.gateway_ip, ...rest } = input;
    const { allocation_pools: pools = subnet.allocation_pools, enable_dhcp: wanted } = input;
    requirePools(subnet.cidr, pools, gateway);
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
    ip_version: 4,
    cidr: subnet.cidr,
    gateway_ip: subnet.gateway_ip,
    enable_dhcp: subnet.enable_dhcp,
    allocation_pools: subnet.allocation_pools,
    dns_nameservers: subnet.dns_nameservers,
    host_routes: subnet.host_routes,
    ipv6_address_mode: null,
    ipv6_ra_mode: null,
    subnetpool_id: null,
  }),
});

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
