import ipaddr from "ipaddr.js";
import type { NetworkPolicy, Peer } from "../../core/ports/network/ovn-kubernetes/schema.ts";
import { isWithin } from "../../core/prefix.ts";
import type { KubeCluster, KubeObject } from "../kubernetes/cluster.ts";
import {
  type Fate,
  isPublic,
  type PacketCarrier,
  type Place,
  type Protocol,
  stop,
} from "../packets/packets.ts";
import { read } from "./objects.ts";
import { networkOfPod, type PodNetwork, type UserDefinedNetwork } from "./user-defined-networks.ts";

/**
 * Routes packets between pods in a hub's primary networks, by the networks of their namespaces and the NetworkPolicies
 * in these. A NIC is a pod, `<namespace>/<name>`, since MACs derive from addresses and so recur in networks with the
 * same prefixes. An address means the pod that has it in the sender's network.
 */
export const hubPackets = (cluster: KubeCluster): PacketCarrier => ({
  reaches(from, to, protocol, port) {
    const sender = "nic" in from ? podNamed(cluster, from.nic) : undefined;
    if (!sender) return stop("sender", "no pod has the NIC");
    const destination = destinationOf(cluster, to, sender);
    if (destination === undefined) return stop("receiver", "the receiver is in no network");
    const source = addressLike(destination, sender);
    if (source === undefined) return stop("sender", "the sender has no address of the family");
    const packet = { source, destination, protocol, port };
    const receiver = podAt(cluster, sender, destination);
    if (!passes(cluster, sender, "Egress", receiver, packet))
      return stop("egress group", "no policy lets the packet out of the pod");
    if (!receiver) return outOf(cluster, sender, packet);
    if (!passes(cluster, receiver, "Ingress", sender, packet))
      return stop("ingress group", "no policy lets the packet in to the pod");
    const at = nameOf(receiver.pod);
    if ("nic" in to && at !== to.nic)
      return stop("elsewhere", `${at} has the address ${destination} there`);
    return { arrives: true, at, source };
  },
});

interface Attached extends PodNetwork {
  pod: KubeObject;
}

interface Packet {
  source: string;
  destination: string;
  protocol: Protocol;
  port: number;
}

const attachedPods = (cluster: KubeCluster): Attached[] =>
  cluster.list("Pod").flatMap((pod) => {
    const network = networkOfPod(pod);
    return network ? [{ ...network, pod }] : [];
  });

const nameOf = ({ metadata: { namespace, name } }: KubeObject): string => `${namespace}/${name}`;

const podNamed = (cluster: KubeCluster, name: string): Attached | undefined =>
  attachedPods(cluster).find(({ pod }) => nameOf(pod) === name);

/** The network's name in an attachment. */
const networkName = ({ attachment }: PodNetwork): string => attachment.split("/")[1] ?? "";

const podAt = (cluster: KubeCluster, like: Attached, address: string): Attached | undefined =>
  attachedPods(cluster).find(
    (each) => networkName(each) === networkName(like) && each.addresses.includes(address),
  );

function destinationOf(cluster: KubeCluster, to: Place, sender: Attached): string | undefined {
  if ("address" in to) return ipaddr.isValid(to.address) ? to.address : undefined;
  return podNamed(cluster, to.nic)?.addresses.find(
    (address) => addressLike(address, sender) !== undefined,
  );
}

const isV6 = (address: string): boolean => address.includes(":");

const addressLike = (other: string, { addresses }: PodNetwork): string | undefined =>
  addresses.find((address) => isV6(address) === isV6(other));

/** Sends a packet out of its network; the pod's node translates its source address. */
function outOf(cluster: KubeCluster, sender: Attached, { destination }: Packet): Fate {
  const name = networkName(sender);
  const network = cluster.get("ClusterUserDefinedNetwork", undefined, name);
  const { subnets } = network
    ? read<UserDefinedNetwork>(network).spec.network.layer2
    : { subnets: [] };
  if (subnets.some((subnet) => isInside(subnet, destination)))
    return stop("receiver", `no pod of network ${name} has the address ${destination}`);
  if (!isPublic(destination))
    return stop("outside", `no host outside has the address ${destination}`);
  return { arrives: true, at: destination, source: "the node" };
}

const isInside = (cidr: string, address: string): boolean =>
  isV6(cidr) === isV6(address) && isWithin(cidr, `${address}/${isV6(address) ? 128 : 32}`);

/** Whether a pod's policies permit a packet; a pod that no policy selects permits all. */
function passes(
  cluster: KubeCluster,
  { pod }: Attached,
  direction: "Ingress" | "Egress",
  other: Attached | undefined,
  packet: Packet,
): boolean {
  const { namespace = "" } = pod.metadata;
  const specs = cluster
    .list("NetworkPolicy", { namespace })
    .map((policy) => read<KubeObject & Pick<NetworkPolicy, "spec">>(policy).spec)
    .filter(({ podSelector, policyTypes }) => {
      const { matchLabels = {} } = podSelector;
      return policyTypes.includes(direction) && hasLabels(pod, matchLabels);
    });
  if (specs.length === 0) return true;
  const address = direction === "Egress" ? packet.destination : packet.source;
  const rules = specs.flatMap(({ ingress = [], egress = [] }) =>
    direction === "Ingress"
      ? ingress.map(({ from, ports }) => ({ peers: from, ports }))
      : egress.map(({ to, ports }) => ({ peers: to, ports })),
  );
  const isPeer = (peer: Peer) =>
    "ipBlock" in peer
      ? isInside(peer.ipBlock.cidr, address)
      : other?.pod.metadata.namespace === namespace &&
        hasLabels(other.pod, peer.podSelector.matchLabels);
  return rules.some(({ peers, ports }) => {
    // A rule without peers permits all peers, and one without ports all protocols.
    if (peers && peers.length > 0 && !peers.some(isPeer)) return false;
    return (
      !ports ||
      ports.some(({ protocol, port, endPort = port }) => {
        if (protocol.toLowerCase() !== packet.protocol) return false;
        return port === undefined || (port <= packet.port && packet.port <= (endPort ?? port));
      })
    );
  });
}

const hasLabels = ({ metadata }: KubeObject, wanted: Record<string, string>): boolean =>
  Object.entries(wanted).every(([key, value]) => metadata.labels?.[key] === value);
