import {
  canonicalAddress,
  contains,
  eui64,
  firstFree,
  rangeOf,
  single,
  versionOf,
} from "./addresses.ts";
import { addressTaken, invalidInput, NeutronFault, noAddressLeft } from "./error.ts";
import { subnetsOf } from "./networks.ts";
import type { FixedIp, PortRecord, SubnetRecord } from "./records.ts";
import type { FabricState } from "./state.ts";

/** An address in a request; either member is optional. */
export interface WantedIp {
  subnet_id?: string | undefined;
  ip_address?: string | undefined;
}

/** The port that gets the addresses, with the members that are known before its creation. */
type Holder = Pick<PortRecord, "mac_address" | "device_owner"> &
  Partial<Pick<PortRecord, "id" | "fixed_ips">>;

/**
 * Allocates addresses for a port: the requested ones, or by default one of each family, and one of each SLAAC
 * subnet. A subnet that is requested without an address keeps the port's address there; if it is requested
 * twice, another is allocated.
 */
export function allocate(
  state: FabricState,
  network: string,
  wanted: WantedIp[] | undefined,
  port: Holder,
): FixedIp[] {
  const subnets = subnetsOf(state, network);
  if (wanted === undefined) return allocateUsual(state, network, subnets, port);
  const own = new Set(wanted.flatMap(({ ip_address: ip }) => (ip ? [canonicalAddress(ip)] : [])));
  const left = (port.fixed_ips ?? []).filter(({ ip_address }) => !own.has(ip_address));
  return wanted.map((one) => {
    const subnet = subnetFor(subnets, one, network);
    const kept = left.findIndex(({ subnet_id }) => subnet_id === subnet.id);
    if (one.ip_address === undefined && kept >= 0) {
      const [same] = left.splice(kept, 1);
      if (same) {
        own.add(same.ip_address);
        return same;
      }
    }
    if (one.ip_address !== undefined && isSelfMade(subnet) && !isOfFabric(port)) {
      throw invalidInput(
        `IPv6 address ${one.ip_address} can not be directly assigned to a port on subnet ${subnet.id} as the subnet is configured for automatic addresses`,
      );
    }
    const ip =
      one.ip_address === undefined
        ? newAddress(state, subnet, port, own)
        : canonicalAddress(one.ip_address);
    if (ip === undefined) throw noAddressLeft(network);
    if (!isHostOf(subnet, ip)) {
      throw new NeutronFault(
        400,
        "InvalidIpForSubnet",
        `IP address ${ip} is not a valid IP for the specified subnet.`,
      );
    }
    if (takenIn(state, subnet, port.id).has(ip)) throw addressTaken(subnet.id, ip);
    own.add(ip);
    return { subnet_id: subnet.id, ip_address: ip };
  });
}

/** Whether a port may have an address: it is in the prefix, and neither the network nor the broadcast address. */
function isHostOf({ cidr }: SubnetRecord, ip: string): boolean {
  const { first, last, version } = rangeOf(cidr);
  const at = single(ip);
  if (!contains(rangeOf(cidr), at)) return false;
  if (last - first < 2n) return true;
  return at.first !== first && !(version === 4 && at.first === last);
}

function allocateUsual(
  state: FabricState,
  network: string,
  subnets: SubnetRecord[],
  port: Holder,
): FixedIp[] {
  const managed = subnets.filter((subnet) => !isSelfMade(subnet));
  const families = Map.groupBy(managed, ({ cidr }) => versionOf(cidr));
  const chosen = [...families.values()].map((family) => {
    for (const subnet of family) {
      const ip = freeAddress(state, subnet, port.id);
      if (ip !== undefined) return { subnet_id: subnet.id, ip_address: ip };
    }
    throw noAddressLeft(network);
  });
  const selfMade = subnets
    .filter((subnet) => isSelfMade(subnet) && !isOfFabric(port))
    .map(({ id, cidr }) => ({ subnet_id: id, ip_address: eui64(cidr, port.mac_address) }));
  return [...chosen, ...selfMade];
}

/** Whether NICs of a subnet make their own addresses (SLAAC). */
const isSelfMade = ({ ipv6_address_mode: mode }: SubnetRecord): boolean =>
  mode === "slaac" || mode === "dhcpv6-stateless";

const isOfFabric = ({ device_owner: owner }: Holder): boolean => owner.startsWith("network:");

const newAddress = (
  state: FabricState,
  subnet: SubnetRecord,
  port: Holder,
  own: ReadonlySet<string>,
): string | undefined =>
  isSelfMade(subnet) && !isOfFabric(port)
    ? eui64(subnet.cidr, port.mac_address)
    : freeAddress(state, subnet, port.id, own);

/** A free address. `port` may get one of its own again, unless that is in `without`. */
export function freeAddress(
  state: FabricState,
  subnet: SubnetRecord,
  port?: string,
  without: ReadonlySet<string> = new Set(),
): string | undefined {
  const taken = takenIn(state, subnet, port);
  return firstFree(subnet.allocation_pools, taken.union(without));
}

/** The addresses of a subnet in use by ports (except one) and floating IPs. */
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
