import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../../error.ts";
import type { ObjectState, Removal } from "../../fabric/fabric.ts";
import type { HubApi } from "../../kubernetes/api.ts";
import { conditionOf, conditionsOf } from "../../kubernetes/conditions.ts";
import type { KubeObject } from "../../kubernetes/kube-object.ts";
import { codeOf } from "../../kubernetes/refusal.ts";
import { type Owner, ownerLabel } from "../../owner.ts";
import {
  defaultGroupOf,
  defaultRulesOf,
  type InNetwork,
  type NetworkSubnetPlan,
  type Networks,
} from "../network.ts";
import { networkAttachments, primaryLabel } from "./kinds.ts";
import {
  attachmentNamed,
  denyPolicy,
  networkNamespaceNamed,
  networkNamespaceOf,
  ovnSegmentOf,
  policyOf,
  segmentNamed,
} from "./objects.ts";
import { ensurePolicy, hasPolicy, podsIn, removePolicy } from "./policies.ts";

/**
 * Tenants' networks in OVN-Kubernetes on a hub. A network is a namespace; a subnet gives its pods a primary
 * network of their own, a ClusterUserDefinedNetwork. A namespace has one primary network, and OVN-Kubernetes
 * does not route between them, so a network has one subnet. Security groups are NetworkPolicies in the
 * namespace.
 *
 * All objects are applied strictly: otherwise the client drops `from` of a policy, which then permits
 * everybody.
 */
export const ovnKubernetesNetworks = (api: HubApi): Networks => ({
  ensureNetwork: (network, prefixes) => ensureNetwork(api, network, prefixes),
  removeNetwork: (network) => removeNetwork(api, network),
  ensureSubnet: (subnet, plan) => ensureSubnet(api, subnet, plan),
  removeSubnet: (subnet) => removeSubnet(api, subnet),
  async ensureWayOut() {
    throw new AppError("Rejected", "a network on a hub has no way out by an address of its own");
  },
  removeWayOut: async () => ({ state: "absent" }),
  ensureGroup: (group, rules) => ensurePolicy(api, group, rules),
  removeGroup: (group) => removePolicy(api, group),
});

async function ensureNetwork(
  api: HubApi,
  network: Owner,
  prefixes: readonly string[],
): Promise<ObjectState> {
  const namespace = networkNamespaceOf(network, prefixes);
  const { name } = namespace.metadata;
  const known = await api.read(networkNamespaceNamed(network));
  if (known && isGoing(known)) return pending(`namespace ${name} is still being removed`);
  if (known && !isOf(known, network)) throw anothers("namespace", name);
  if (known && known.metadata.labels?.[primaryLabel] === undefined)
    throw new AppError("Rejected", `namespace ${name} was made without the label ${primaryLabel}`);
  if (!known) await api.applyStrictly(namespace);
  const group = defaultGroupOf(network);
  for (const policy of [denyPolicy(network), policyOf(group, defaultRulesOf(network), prefixes)])
    if (!(await hasPolicy(api, policy)))
      return pending(`policy ${policy.metadata.name} is not as it was written`);
  return { state: "done" };
}

async function removeNetwork(api: HubApi, network: Owner): Promise<Removal> {
  const name = networkNamespaceNamed(network);
  const known = await api.read(name);
  if (!known || !isOf(known, network)) return { state: "absent" };
  if (!isGoing(known)) {
    const segments = await attachedTo(api, network);
    if (segments.length > 0)
      return pending(`namespace ${name.metadata.name} is in network ${segments.join(", ")}`);
    const pods = await podsIn(api, network);
    if (pods.length > 0)
      return pending(`pods are in namespace ${name.metadata.name}: ${pods.join(", ")}`);
    await api.remove(name);
  }
  const left = await api.read(name);
  return left
    ? pending(`namespace ${name.metadata.name}: ${remainsOf(left)}`)
    : { state: "absent" };
}

/** The segments that a network's namespace is attached to; none on a hub without this kind. */
async function attachedTo(api: HubApi, network: Owner): Promise<string[]> {
  const namespace = networkNamespaceNamed(network).metadata.name;
  try {
    const { items } = await api.list(networkAttachments, { namespace });
    return items.map(({ metadata }) => metadata.name);
  } catch (error) {
    if (error instanceof AppError && codeOf(error.cause) === 404) return [];
    throw error;
  }
}

/** The reason why a namespace cannot be deleted yet, in its controller's words. */
function remainsOf(namespace: KubeObject): string {
  const left = conditionsOf(namespace).filter(({ status }) => status === "True");
  return left.map(({ message = "" }) => message).join("; ") || "it is being removed";
}

async function ensureSubnet(
  api: HubApi,
  subnet: InNetwork,
  plan: NetworkSubnetPlan,
): Promise<ObjectState> {
  const namespace = await api.read(networkNamespaceNamed(subnet.network));
  if (!namespace || isGoing(namespace))
    return pending("the namespace of the network does not exist");
  const segment = ovnSegmentOf(subnet, plan);
  const { name } = segment.metadata;
  const known = await api.read(segmentNamed(subnet));
  if (known && isGoing(known)) return pending(`network ${name} is still being removed`);
  if (known && !isOf(known, subnet)) throw anothers("network", name);
  // Its spec is immutable.
  if (known && !isDeepStrictEqual(known.spec, segment.spec))
    throw new AppError("Rejected", `network ${name} has other prefixes or another namespace`);
  if (!known) await api.applyStrictly(segment);
  return progressOf(api, subnet);
}

/**
 * OVN-Kubernetes's progress with a segment: its condition may be true before the controller has seen the
 * namespace.
 */
async function progressOf(api: HubApi, subnet: InNetwork): Promise<ObjectState> {
  const segment = await api.read(segmentNamed(subnet));
  if (!segment) return { state: "absent" };
  const { status, message = "OVN-Kubernetes has not said anything of it" } =
    conditionOf(segment, "NetworkCreated") ?? {};
  if (status !== "True") {
    const refusal = refusedPrefixes.exec(message)?.[1];
    if (refusal === undefined) return pending(message);
    return { state: "failed", message: `OVN-Kubernetes does not make it: ${refusal}` };
  }
  const attachment = await api.read(attachmentNamed(subnet));
  return attachment ? { state: "done" } : pending("its namespace has not been attached to it");
}

/**
 * OVN-Kubernetes's message when prefixes overlap others of the hub: a permanent failure, since neither can
 * change.
 */
const refusedPrefixes = /illegal network configuration: (.*)/;

async function removeSubnet(api: HubApi, subnet: InNetwork): Promise<Removal> {
  const name = segmentNamed(subnet);
  const known = await api.read(name);
  if (!known || !isOf(known, subnet)) return { state: "absent" };
  if (!isGoing(known)) await api.remove(name);
  const left = await api.read(name);
  if (!left) return { state: "absent" };
  const { status, message } = conditionOf(left, "NetworkCreated") ?? {};
  const why = status === "False" ? message : undefined;
  return pending(`network ${name.metadata.name}: ${why ?? "it is being removed"}`);
}

const pending = (message: string) => ({ state: "pending", message }) as const;

const isGoing = ({ metadata }: KubeObject): boolean => metadata.deletionTimestamp !== undefined;

const isOf = ({ metadata }: KubeObject, { kind, id }: Owner): boolean =>
  metadata.labels?.[ownerLabel(kind)] === id;

const anothers = (what: string, name: string): AppError =>
  new AppError("Rejected", `the ${what} ${name} has another owner`);
