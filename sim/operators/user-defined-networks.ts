import { createHash } from "node:crypto";
import { networkAttachments, primaryLabel } from "../../core/ports/network/ovn-kubernetes/kinds.ts";
import type { UserDefinedNetwork as UserDefinedNetworkInput } from "../../core/ports/network/ovn-kubernetes/schema.ts";
import { addressAt, prefixSize } from "../../core/prefix.ts";
import { durations } from "../durations.ts";
import type { KubeCluster, KubeObject } from "../kubernetes/cluster.ts";
import { conditionsOf, type KubeCondition } from "./conditions.ts";
import type { Controller, ObjectKey } from "./control-loop.ts";
import { addFinalizer, removeFinalizer } from "./finalizers.ts";
import type { HubWorld } from "./hub.ts";
import { prefixRefusal } from "./hub-prefixes.ts";
import { ownedBy, read } from "./objects.ts";

/**
 * OVN-Kubernetes' controller of ClusterUserDefinedNetworks (go-controller/pkg/clustermanager/userdefinednetwork):
 * attaches the selected namespaces to a network, and blocks the removal of a network with pods.
 */

export interface UserDefinedNetwork extends KubeObject {
  spec: UserDefinedNetworkInput["spec"];
  status?: { conditions?: KubeCondition[] };
}

const finalizer = "k8s.ovn.org/user-defined-network-protection";
const podNetworks = "k8s.ovn.org/pod-networks";

/** The refusal of the admission policy `user-defined-networks-namespace-label`. */
export function refusesPrimaryLabel(live: KubeObject, next: KubeObject): string | undefined {
  const [had, has] = [live, next].map(({ metadata }) => metadata.labels?.[primaryLabel]);
  if (had === has) return undefined;
  return (
    "ValidatingAdmissionPolicy 'user-defined-networks-namespace-label' with binding " +
    "'user-defined-networks-namespace-label-binding' denied request: " +
    `The '${primaryLabel}' label cannot be added/removed after the namespace was created`
  );
}

export function userDefinedNetworks({
  cluster,
  marks,
}: Pick<HubWorld, "cluster" | "marks">): Controller {
  const all = (): ObjectKey[] =>
    cluster.list("ClusterUserDefinedNetwork").map(({ metadata }) => metadata);
  return {
    kind: "ClusterUserDefinedNetwork",
    also: { Namespace: all, Pod: all },
    reconcile(object) {
      const network = read<UserDefinedNetwork>(object);
      const { uid, name, deletionTimestamp } = network.metadata;
      if (!deletionTimestamp) addFinalizer(cluster, network, finalizer);
      const word = deletionTimestamp ? "removed" : "seen";
      const due = marks.begin(uid, word) + durations.userDefinedNetwork;
      if (cluster.clock.now() < due) return due;
      const faults = deletionTimestamp ? detached(cluster, network) : attached(cluster, network);
      if (deletionTimestamp && faults.length === 0) {
        removeFinalizer(cluster, network, finalizer);
        return undefined;
      }
      say(cluster, name, faults);
      return undefined;
    },
    gone: ({ metadata }) => marks.forget(metadata.uid),
  };
}

function say(cluster: KubeCluster, name: string, faults: string[]): void {
  const live = cluster.get("ClusterUserDefinedNetwork", undefined, name);
  if (!live) return;
  const namespaces = attachmentsOf(cluster, live).map(({ metadata }) => metadata.namespace);
  const finding =
    faults.length > 0
      ? {
          status: false,
          reason: "NetworkAttachmentDefinitionSyncError",
          message: faults.join("\n"),
        }
      : {
          status: true,
          reason: "NetworkAttachmentDefinitionCreated",
          message: `NetworkAttachmentDefinition has been created in following namespaces: [${namespaces.join(", ")}]`,
        };
  const now = cluster.clock.now();
  cluster.patchStatus("ClusterUserDefinedNetwork", undefined, name, (status) => ({
    ...status,
    conditions: conditionsOf(
      read<UserDefinedNetwork>(live).status?.conditions,
      [{ type: "NetworkCreated", ...finding }],
      { now },
    ),
  }));
}

/** Attaches the selected namespaces, and detaches those that are not selected any more; returns the obstacles. */
function attached(cluster: KubeCluster, network: UserDefinedNetwork): string[] {
  const selected = cluster
    .list("Namespace")
    .filter(({ metadata }) => !metadata.deletionTimestamp && isSelected(network, metadata.labels));
  const names = new Set(selected.map(({ metadata }) => metadata.name));
  const left = attachmentsOf(cluster, network).filter(
    ({ metadata }) => !names.has(metadata.namespace ?? ""),
  );
  return [
    ...left.flatMap((attachment) => detach(cluster, attachment)),
    ...selected.flatMap((namespace) => attach(cluster, network, namespace)),
  ];
}

const detached = (cluster: KubeCluster, network: KubeObject): string[] =>
  attachmentsOf(cluster, network).flatMap((attachment) => detach(cluster, attachment));

function isSelected({ spec }: UserDefinedNetwork, labels: Record<string, string> = {}): boolean {
  const { matchLabels } = spec.namespaceSelector;
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
}

function attach(
  cluster: KubeCluster,
  network: UserDefinedNetwork,
  { metadata: { name: namespace, labels } }: KubeObject,
): string[] {
  const { name } = network.metadata;
  if (labels?.[primaryLabel] === undefined)
    return [
      `invalid primary network state for namespace "${namespace}": a valid primary user defined network or ` +
        `network attachment definition custom resource, and required namespace label "${primaryLabel}" must both be present`,
    ];
  const refusal = prefixRefusal(network.spec.network.layer2.subnets);
  if (refusal !== undefined) return [refusal];
  if (cluster.get("NetworkAttachmentDefinition", namespace, name)) return [];
  const [other] = cluster.list("NetworkAttachmentDefinition", { namespace });
  if (other)
    return [`primary network already exist in namespace "${namespace}": "${other.metadata.name}"`];
  const { group, version, kind } = networkAttachments;
  cluster.create({
    apiVersion: `${group}/${version}`,
    kind,
    metadata: {
      name,
      namespace,
      finalizers: [finalizer],
      labels: { "k8s.ovn.org/user-defined-network": "" },
      ownerReferences: [{ ...ownedBy(network), controller: true, blockOwnerDeletion: true }],
    },
    spec: {
      config: JSON.stringify({ name: `cluster_udn_${name}`, topology: "layer2", role: "primary" }),
    },
  });
  return [];
}

function detach(cluster: KubeCluster, attachment: KubeObject): string[] {
  const { name, namespace = "" } = attachment.metadata;
  const pods = cluster
    .list("Pod", { namespace })
    .filter((pod) => networkOfPod(pod)?.attachment === `${namespace}/${name}`)
    .map((pod) => `${namespace}/${pod.metadata.name}`);
  if (pods.length > 0)
    return [
      `failed to delete NetworkAttachmentDefinition [${namespace}/${name}]: network in use by the following pods: [${pods.join(" ")}]`,
    ];
  removeFinalizer(cluster, attachment, finalizer);
  if (cluster.get("NetworkAttachmentDefinition", namespace, name))
    cluster.delete("NetworkAttachmentDefinition", namespace, name);
  return [];
}

const attachmentsOf = (cluster: KubeCluster, { metadata: { uid } }: KubeObject): KubeObject[] =>
  cluster
    .list("NetworkAttachmentDefinition")
    .filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid));

/** A pod's addresses in the primary network of its namespace, from its annotation. */
export interface PodNetwork {
  /** `<namespace>/<name>` of the attachment. */
  attachment: string;
  addresses: string[];
}

export function networkOfPod({ metadata }: KubeObject): PodNetwork | undefined {
  const text = metadata.annotations?.[podNetworks];
  if (text === undefined) return undefined;
  const known: Record<string, { role?: string; ip_addresses?: string[] }> = JSON.parse(text);
  const found = Object.entries(known).find(([, { role }]) => role === "primary");
  if (!found) return undefined;
  const [attachment, { ip_addresses = [] }] = found;
  return { attachment, addresses: ip_addresses.map((one) => one.split("/")[0] ?? "") };
}

/** Assigns each pod addresses in the primary network of its namespace, once that exists. */
export function podsInNetworks({ cluster }: Pick<HubWorld, "cluster">): Controller {
  return {
    kind: "Pod",
    also: {
      NetworkAttachmentDefinition: ({ metadata: { namespace = "" } }) =>
        cluster.list("Pod", { namespace }).map(({ metadata }) => metadata),
    },
    reconcile(pod) {
      const { name, namespace = "", annotations } = pod.metadata;
      if (annotations?.[podNetworks] !== undefined) return undefined;
      const [attachment] = cluster.list("NetworkAttachmentDefinition", { namespace });
      const owner = attachment?.metadata.ownerReferences?.[0]?.name ?? "";
      const network = cluster.get("ClusterUserDefinedNetwork", undefined, owner);
      if (!attachment || attachment.metadata.deletionTimestamp || !network) return undefined;
      const { subnets } = read<UserDefinedNetwork>(network).spec.network.layer2;
      const taken = new Set(
        cluster.list("Pod").flatMap((each) => {
          const known = networkOfPod(each);
          const isHere = known?.attachment.split("/")[1] === owner;
          return isHere ? known.addresses : [];
        }),
      );
      const addresses = subnets.flatMap((subnet) => freeIn(subnet, taken) ?? []);
      if (addresses.length < subnets.length) return undefined;
      const key = `${namespace}/${attachment.metadata.name}`;
      const own = {
        role: "primary",
        mac_address: macOf(addresses[0] ?? ""),
        ip_addresses: addresses,
      };
      cluster.mutate("Pod", namespace, name, (object) => ({
        ...object,
        metadata: {
          ...object.metadata,
          annotations: { ...annotations, [podNetworks]: JSON.stringify({ [key]: own }) },
        },
      }));
      return undefined;
    },
  };
}

/** The first address is the gateway's, the second the node's management port's. */
const firstOfPods = 3;

function freeIn(subnet: string, taken: ReadonlySet<string>): string | undefined {
  const end = Math.min(prefixSize(subnet) - 1, 2 ** 16);
  for (let place = firstOfPods; place < end; place++) {
    const address = addressAt(subnet, place);
    if (!taken.has(address)) return `${address}/${subnet.split("/")[1]}`;
  }
  return undefined;
}

/** A pod's MAC, which OVN-Kubernetes derives from its address. */
function macOf(address: string): string {
  const digest = createHash("sha256").update(address).digest();
  const bytes = [0x0a, 0x58, ...digest.subarray(0, 4)];
  return bytes.map((byte) => byte.toString(16).padStart(2, "0")).join(":");
}
