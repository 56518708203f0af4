import { AppError } from "../../../error.ts";
import { addressFamily, isWithin } from "../../../prefix.ts";
import { apiVersionOf, type KubeObject, type ObjectName } from "../../kubernetes/kube-object.ts";
import type { Namespace } from "../../kubernetes/schema.ts";
import { type Owner, ownerLabel, tenantLabel } from "../../owner.ts";
import type { GroupRule, GroupRules, InNetwork, NetworkSubnetPlan } from "../network.ts";
import { networkAttachments, networkPolicies, primaryLabel, userDefinedNetworks } from "./kinds.ts";
import type { NetworkPolicy, Peer, PolicyPort, UserDefinedNetwork } from "./schema.ts";

/** The objects of tenants' networks on a hub. Pure: the same input gives the same objects. */

type Named = Pick<Owner, "name">;

const nameOf = ({ name }: Named): string => `slipway-${name}`;

const labelsOf = ({ kind, id, tenant }: Owner) => ({
  [ownerLabel(kind)]: id,
  [tenantLabel]: tenant,
});

export const networkNamespaceNamed = (network: Named): ObjectName => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: nameOf(network) },
});

/** The annotation with a network's prefixes on its namespace. */
const prefixesAnnotation = "slipway.dev/prefixes";

/** The namespace of a network and all its objects. */
export const networkNamespaceOf = (network: Owner, prefixes: readonly string[]): Namespace => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: {
    name: nameOf(network),
    labels: { ...labelsOf(network), [primaryLabel]: "" },
    annotations: { [prefixesAnnotation]: prefixes.join(" ") },
  },
});

export const networkPrefixesOf = ({ metadata }: Pick<KubeObject, "metadata">): string[] =>
  (metadata.annotations?.[prefixesAnnotation] ?? "").split(" ").filter(Boolean);

export const segmentNamed = (subnet: Named): ObjectName => ({
  apiVersion: apiVersionOf(userDefinedNetworks),
  kind: userDefinedNetworks.kind,
  metadata: { name: nameOf(subnet) },
});

/** The NetworkAttachmentDefinition that OVN-Kubernetes creates for a segment in its network's namespace. */
export const attachmentNamed = ({ network, ...subnet }: InNetwork): ObjectName => ({
  apiVersion: apiVersionOf(networkAttachments),
  kind: networkAttachments.kind,
  metadata: { name: nameOf(subnet), namespace: nameOf(network) },
});

/**
 * The segment of a subnet. OVN-Kubernetes uses the first address of a prefix for the gateway, as Slipway
 * does. A virtual machine keeps its addresses for its lifetime.
 */
export const ovnSegmentOf = (
  { network, ...subnet }: InNetwork,
  { prefixes }: NetworkSubnetPlan,
): UserDefinedNetwork => ({
  apiVersion: "k8s.ovn.org/v1",
  kind: "ClusterUserDefinedNetwork",
  metadata: { name: nameOf(subnet), labels: labelsOf(subnet) },
  spec: {
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": nameOf(network) } },
    network: {
      topology: "Layer2",
      layer2: {
        role: "Primary",
        subnets: prefixes.map(({ cidr }) => cidr),
        ipam: { lifecycle: "Persistent" },
      },
    },
  },
});

/** The label of a group's members on their pods. */
export const memberLabel = ({ name }: Named): string => `group.slipway.dev/${name}`;

export const policyNamed = ({ network, ...group }: InNetwork): ObjectName => ({
  apiVersion: apiVersionOf(networkPolicies),
  kind: networkPolicies.kind,
  metadata: { name: nameOf(group), namespace: nameOf(network) },
});

/** The annotation with the version of a policy's rules. */
export const versionAnnotation = "slipway.dev/version";

/** Blocks all traffic of pods in the network's namespace that no group of the pod permits. */
export const denyPolicy = (network: Owner): NetworkPolicy => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: "deny", namespace: nameOf(network), labels: labelsOf(network) },
  spec: { podSelector: {}, policyTypes: ["Ingress", "Egress"] },
});

/**
 * The policy of a group. The node translates traffic that leaves a pod's network and lets it pass, so
 * outbound rules permit only the `prefixes` of the network. Throws Rejected for a rule that a policy cannot
 * express.
 */
export function policyOf(
  group: InNetwork,
  { version, rules }: GroupRules,
  prefixes: readonly string[],
): NetworkPolicy {
  const inside = rules.flatMap((rule) => withinNetwork(rule, prefixes));
  const of = (direction: GroupRule["direction"]) =>
    distinct(inside.filter((rule) => rule.direction === direction).map(allowed));
  const [ingress, egress] = [of("ingress"), of("egress")];
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: {
      name: nameOf(group),
      namespace: nameOf(group.network),
      labels: labelsOf(group),
      annotations: { [versionAnnotation]: String(version) },
    },
    spec: {
      podSelector: { matchLabels: { [memberLabel(group)]: "" } },
      policyTypes: ["Ingress", "Egress"],
      // API servers omit empty lists.
      ...(ingress.length > 0 && {
        ingress: ingress.map(({ peers: from, ...ports }) => ({ from, ...ports })),
      }),
      ...(egress.length > 0 && {
        egress: egress.map(({ peers: to, ...ports }) => ({ to, ...ports })),
      }),
    },
  };
}

function withinNetwork(rule: GroupRule, prefixes: readonly string[]): GroupRule[] {
  const { direction, remote } = rule;
  if (direction === "ingress" || !("cidr" in remote)) return [rule];
  return prefixes
    .filter((prefix) => addressFamily(prefix) === addressFamily(remote.cidr))
    .flatMap((prefix) => {
      const cidr = isWithin(remote.cidr, prefix) ? prefix : remote.cidr;
      return isWithin(prefix, cidr) ? [{ ...rule, remote: { cidr } }] : [];
    });
}

interface Allowed {
  peers: Peer[];
  ports?: PolicyPort[];
}

function allowed({ protocol, ports, remote }: GroupRule): Allowed {
  const peers: Peer[] =
    "cidr" in remote
      ? [{ ipBlock: { cidr: remote.cidr } }]
      : [{ podSelector: { matchLabels: { [memberLabel(remote.group)]: "" } } }];
  if (protocol === "any") return { peers };
  if (protocol === "icmp")
    throw new AppError("Rejected", "a NetworkPolicy cannot allow ICMP without all protocols");
  const named = protocol === "tcp" ? "TCP" : "UDP";
  if (!ports) return { peers, ports: [{ protocol: named }] };
  const { first, last } = ports;
  const range = { port: first, ...(last > first && { endPort: last }) };
  return { peers, ports: [{ protocol: named, ...range }] };
}

/** Removes duplicates: a group as the peer covers both families. */
const distinct = (all: Allowed[]): Allowed[] => [
  ...new Map(all.map((each) => [JSON.stringify(each), each])).values(),
];
