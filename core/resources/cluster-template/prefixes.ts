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

/** The prefixes inside clusters: what HyperShift, Kubernetes and OVN-Kubernetes take. Pure. */

const members = ["pod_cidr", "service_cidr"] as const;
type Member = (typeof members)[number];
export type Prefixes = { [M in Member]?: string | undefined };

interface PrefixFault {
  member: Member;
  message: string;
  /** Other prefixes that the rule looks at. */
  beside?: Member[];
  /** The rule looks at the number of nodes. */
  isOfNodes?: true;
}

/** HyperShift's own defaults; what the installer documents. */
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

/** The shortest prefix of services that kube-apiserver takes. */
const serviceLengths: Record<Family, number> = { ipv4: 12, ipv6: 108 };

/** The fewest service addresses: a new cluster already has more than a hundred services. */
const fewestServices = 256;

/**
 * The prefixes of a cluster of so many nodes in canonical form, and their faults. `others`: what counts for a member
 * that is not given.
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

/** How many nodes a prefix of pods has room for. */
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

/** Pods and services are apart, and of one family. */
function pairFaults(network: Prefixes, given: Prefixes, others: Prefixes): PrefixFault[] {
  // The one that the request gives is to be repaired.
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
