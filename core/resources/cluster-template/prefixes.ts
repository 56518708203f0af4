import { canonicalCidr } from "../../kernel/input/cidr.ts";
import { withinFault } from "../../ports/guest/ovn.ts";
import {
  addressFamily,
  type Family,
  lengthOf,
  overlap,
  partsIn,
  prefixSize,
} from "../../prefix.ts";

/** The rules of HyperShift, Kubernetes and OVN-Kubernetes for prefixes inside clusters. Pure. */

const members = ["pod_cidr", "service_cidr"] as const;
type Member = (typeof members)[number];
export type Prefixes = { [M in Member]?: string | undefined };

interface PrefixFault {
  member: Member;
  message: string;
  /** Other prefixes that the rule depends on. */
  beside?: Member[];
  /** Set if the rule depends on the number of nodes. */
  isOfNodes?: true;
}

/** HyperShift's defaults, which are those in the installer's documentation. */
export const defaultPrefixes = { pod_cidr: "10.128.0.0/14", service_cidr: "172.30.0.0/16" };

/** Prefixes to which a cluster cannot send packets: no network, this host, this link, multicast, reserved. */
const reserved = [
  "0.0.0.0/8",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "::/127",
  "fe80::/10",
  "ff00::/8",
];

/** The part of the pods' prefix that each node takes: HyperShift's default host prefix. */
const nodeLengths: Record<Family, number> = { ipv4: 23, ipv6: 64 };

/** The shortest prefix for services that kube-apiserver accepts. */
const serviceLengths: Record<Family, number> = { ipv4: 12, ipv6: 108 };

/** The smallest number of service addresses, because a new cluster already has more than a hundred services. */
const fewestServices = 256;

/**
 * The prefixes, in canonical form, of a cluster with this number of nodes, and their faults. `others`: the values for
 * omitted members.
 */
export function templateNetworkOf(
  given: Prefixes,
  { nodes = 1, others = {} }: { nodes?: number; others?: Prefixes } = {},
): { network: Prefixes; faults: PrefixFault[] } {
  const network: Prefixes = {};
  const faults: PrefixFault[] = [];
  for (const member of members) {
    const text = given[member];
    if (!text) continue;
    const cidr = canonicalCidr(text);
    const fault =
      cidr === undefined ? `'${text}' is not a CIDR, such as 10.128.0.0/14` : useFault(cidr);
    if (fault !== undefined) faults.push({ member, message: fault });
    else network[member] = cidr;
  }
  const { pod_cidr, service_cidr } = network;
  const small = pod_cidr && podFault(pod_cidr, nodes);
  if (small) faults.push({ member: "pod_cidr", message: small, isOfNodes: true });
  const unfit = service_cidr && serviceFault(service_cidr);
  if (unfit) faults.push({ member: "service_cidr", message: unfit });
  return { network, faults: [...faults, ...pairFaults(network, given, others)] };
}

function useFault(cidr: string): string | undefined {
  const inside = reserved.find((other) => overlap(cidr, other));
  if (inside) return `must not overlap ${inside}, which is reserved`;
  return withinFault(cidr);
}

/** How many nodes fit into a prefix of pods. */
export function nodesIn(podCidr: string): number {
  const length = nodeLengths[addressFamily(podCidr)];
  return length < lengthOf(podCidr) ? 0 : partsIn(podCidr, length);
}

function podFault(cidr: string, nodes: number): string | undefined {
  const room = nodesIn(cidr);
  if (nodes <= room) return undefined;
  const length = nodeLengths[addressFamily(cidr)];
  const right = length - Math.ceil(Math.log2(Math.max(1, nodes)));
  return `is too small: each node takes a /${length} of it, so ${nodes} ${nodes === 1 ? "node needs" : "nodes need"} a prefix of /${right} or shorter, and this is /${lengthOf(cidr)}`;
}

function serviceFault(cidr: string): string | undefined {
  if (prefixSize(cidr) < fewestServices)
    return `is too small: it must have ${fewestServices} addresses or more`;
  const shortest = serviceLengths[addressFamily(cidr)];
  return lengthOf(cidr) < shortest
    ? `is too large: Kubernetes takes /${shortest} or longer for services, and this is /${lengthOf(cidr)}`
    : undefined;
}

/** The prefixes of pods and services must not overlap, and must be of one family. */
function pairFaults(network: Prefixes, given: Prefixes, others: Prefixes): PrefixFault[] {
  // The violation is for the prefix that the request has.
  const member = network.service_cidr ? "service_cidr" : "pod_cidr";
  const other = member === "service_cidr" ? "pod_cidr" : "service_cidr";
  const cidr = network[member];
  const against = given[other] ? network[other] : others[other];
  if (cidr === undefined || against === undefined) return [];
  const name = given[other] ? other : `${against}, the default of ${other}`;
  const faults = [
    ...(overlap(cidr, against) ? [`overlaps ${name}`] : []),
    ...(addressFamily(cidr) === addressFamily(against)
      ? []
      : [`must be of the same family as ${name}: both IPv4, or both IPv6`]),
  ];
  return faults.map((message) => ({
    ...{ member, message },
    ...(given[other] && { beside: [other] }),
  }));
}
