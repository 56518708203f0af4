import { contains, firstFree, rangeOf, single } from "./addresses.ts";
import { addressInUse, invalidInput, NeutronFault, noAddressLeft } from "./error.ts";
import { subnetsOf } from "./networks.ts";
import type { FixedIp, SubnetRecord } from "./records.ts";
import type { FabricState } from "./state.ts";

/** The addresses that a request may ask for; either member may be left out. */
export interface WantedIp {
  subnet_id?: string | undefined;
  ip_address?: string | undefined;
}

/** Allocates addresses for a port: the wanted ones, or one of the network by default. */
export function allocate(
  state: FabricState,
  network: string,
  wanted: WantedIp[] | undefined,
  port?: string,
): FixedIp[] {
  const subnets = subnetsOf(state, network);
  if (wanted === undefined) {
    if (subnets.length === 0) return [];
    for (const subnet of subnets) {
      const ip = freeAddress(state, subnet, port);
      if (ip !== undefined) return [{ subnet_id: subnet.id, ip_address: ip }];
    }
    throw noAddressLeft(network);
  }
  return wanted.map((one) => {
    const subnet = subnetFor(subnets, one, network);
    const ip = one.ip_address ?? freeAddress(state, subnet, port);
    if (ip === undefined) throw noAddressLeft(network);
    if (!contains(rangeOf(subnet.cidr), single(ip))) {
      throw new NeutronFault(
        400,
        "InvalidIpForSubnet",
        `IP address ${ip} is not a valid IP for the specified subnet.`,
      );
    }
    if (takenIn(state, subnet, port).has(ip)) throw addressInUse(network, ip);
    return { subnet_id: subnet.id, ip_address: ip };
  });
}

export function freeAddress(
  state: FabricState,
  subnet: SubnetRecord,
  port?: string,
): string | undefined {
  return firstFree(subnet.allocation_pools, takenIn(state, subnet, port));
}

/** The addresses of a subnet that ports (except one) and floating IPs use. */
export function takenIn(state: FabricState, subnet: SubnetRecord, except?: string): Set<string> {
  const ports = state.records
    .all("port")
    .filter((port) => port.network_id === subnet.network_id && port.id !== except)
    .flatMap((port) => port.fixed_ips)
    .map(({ ip_address }) => ip_address);
  const floating = state.records
    .all("floatingip")
    .filter((floatingIp) => floatingIp.floating_network_id === subnet.network_id)
    .map(({ floating_ip_address }) => floating_ip_address);
  return new Set([...ports, ...floating]);
}

function subnetFor(
  subnets: SubnetRecord[],
  { subnet_id, ip_address }: WantedIp,
  network: string,
): SubnetRecord {
  if (subnet_id !== undefined) {
    const found = subnets.find(({ id }) => id === subnet_id);
    if (found) return found;
    throw invalidInput(
      `Failed to create port on network ${network}, because fixed_ips included invalid subnet ${subnet_id}`,
    );
  }
  if (ip_address === undefined) {
    throw invalidInput("IP allocation requires subnet_id or ip_address");
  }
  const found = subnets.find(({ cidr }) => contains(rangeOf(cidr), single(ip_address)));
  if (found) return found;
  throw new NeutronFault(
    400,
    "InvalidIpForNetwork",
    "IP address is not a valid IP for any of the subnets on the specified network.",
  );
}
