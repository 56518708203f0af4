import type { AtSite, NetworkRecord, SharedNetwork, SitedKind } from "../../at-site/at-site.ts";
import { addressOf, numberOf, startOf } from "../../ipv4.ts";
import type { Holder } from "../../kernel/claim/holder.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import type { HostLink } from "../../ports/fabric/fabric.ts";
import type { NumberPool } from "../../ports/ipam/ipam.ts";
import { lengthOf } from "../../prefix.ts";
import { notForMembers, places } from "./addresses.ts";
import type { Subnet } from "./model.ts";

/** The addresses of a subnet's members. Each subnet has its own pool, and each address one member. */

export const subnetPoolName = (subnet: string): string => `addresses#${subnet}`;

/** The pool of the IPv4 addresses for members; undefined for a subnet without IPv4. `rest`: in milliseconds. */
export function addressPool({ id, spec }: Subnet, rest: number): NumberPool | undefined {
  const { ipv4_cidr: cidr } = spec;
  if (cidr === undefined) return undefined;
  const size = 2 ** (32 - lengthOf(cidr)) - notForMembers;
  return { name: subnetPoolName(id), first: startOf(cidr) + places.firstMember, size, rest };
}

/** The name of a NIC among the members of a subnet. */
export const nicName = ({ host, mac }: Pick<HostLink, "host" | "mac">): string =>
  `${host}/${mac.toLowerCase()}`;

export const macOfNic = (name: string): string => name.slice(name.lastIndexOf("/") + 1);

export const isNicOf = (name: string, hosts: ReadonlySet<string>): boolean =>
  hosts.has(name.slice(0, name.lastIndexOf("/")));

/** The addresses in a subnet by name, which is a use or a NIC; empty for a cluster's own network. */
export function addressesIn(network: NetworkRecord | undefined): Record<string, string> {
  if (!network || !("nics" in network)) return {};
  const { api, ingress, nics } = network;
  return { api, ingress, ...nics };
}

/** The record of a network in a subnet, with these addresses by name. */
export function withAddresses<T extends Plan>(
  network: T,
  addresses: Record<string, string>,
): T & SharedNetwork {
  // The addresses of both uses are claimed first, and released last.
  const { api = "", ingress = "", ...nics } = addresses;
  return { ...network, api, ingress, nics };
}

type Plan = Pick<SharedNetwork, "prefix" | "gateway" | "dns_servers">;

/** An object with addresses in a subnet, which its record has by name. */
export interface Members<K extends SitedKind> {
  kind: K;
  id: string;
  known(object: AtSite): Record<string, string>;
  /** The record with exactly these addresses. */
  having(object: ObjectOf[K], addresses: Record<string, string>): ObjectOf[K];
}

/** An object whose hosts are in a tenant's subnet instead of a network of its own. */
export const inSharedNetwork = ({ kind, id }: AtSite, plan: Plan): Members<SitedKind> => ({
  kind,
  id,
  known: ({ site }) => addressesIn(site?.network),
  having(object, addresses) {
    if (!object.site) return object;
    const { network, ...site } = object.site;
    if (Object.keys(addresses).length === 0) return { ...object, site };
    const shared = withAddresses({ ...network, ...plan }, addresses);
    return { ...object, site: { ...site, network: shared } };
  },
});

/** An object as the holder of the addresses for these names. */
export function memberHolder<K extends SitedKind>(
  { kind, id, known, having }: Members<K>,
  names: readonly string[],
): Holder<K> {
  return {
    kind,
    id,
    held(object) {
      const has = known(object);
      return names.flatMap((name) => (has[name] === undefined ? [] : [numberOf(has[name])]));
    },
    hold(object, numbers) {
      const claimed = numbers.map((number, n) => [names[n] ?? "", addressOf(number)]);
      return having(object, { ...known(object), ...Object.fromEntries(claimed) });
    },
    release(object) {
      const left = Object.entries(known(object)).filter(([name]) => !names.includes(name));
      return having(object, Object.fromEntries(left));
    },
  };
}
