import { isDeepStrictEqual } from "node:util";
import type { Removal } from "../../fabric/fabric.ts";
import type { HubApi } from "../../kubernetes/api.ts";
import type { KubeObject } from "../../kubernetes/kube-object.ts";
import type { Owner } from "../../owner.ts";
import type { AppliedRules, GroupRules, InNetwork } from "../network.ts";
import { networkPolicies } from "./kinds.ts";
import {
  memberLabel,
  networkNamespaceNamed,
  networkPrefixesOf,
  policyNamed,
  policyOf,
  versionAnnotation,
} from "./objects.ts";
import type { NetworkPolicy } from "./schema.ts";

/**
 * Security groups as NetworkPolicies. Kubernetes does not report whether nodes enforce a policy: the version
 * in effect is the one that the API server has.
 */

export async function ensurePolicy(
  api: HubApi,
  group: InNetwork,
  rules: GroupRules,
): Promise<AppliedRules> {
  const namespace = await api.read(networkNamespaceNamed(group.network));
  if (!namespace)
    return { state: "pending", message: "the namespace of the network does not exist" };
  const policy = policyOf(group, rules, networkPrefixesOf(namespace));
  return (await hasPolicy(api, policy))
    ? { state: "applied", version: rules.version }
    : { state: "pending", message: `policy ${policy.metadata.name} is not as it was written` };
}

export async function removePolicy(api: HubApi, group: InNetwork): Promise<Removal> {
  const pods = await podsIn(api, group.network, memberLabel(group));
  if (pods.length > 0) return { state: "pending", message: `pods have it: ${pods.join(", ")}` };
  await api.remove(policyNamed(group));
  return { state: "absent" };
}

/**
 * Writes a policy unless it is as desired; answers whether the policy in effect is the desired one.
 */
export async function hasPolicy(api: HubApi, policy: NetworkPolicy): Promise<boolean> {
  if (await isThere(api, policy)) return true;
  await api.applyStrictly(policy);
  return isThere(api, policy);
}

/**
 * Whether the API server has exactly this policy. Reads a list, because the client renames members of a
 * single object.
 */
async function isThere(api: HubApi, { metadata, spec }: NetworkPolicy): Promise<boolean> {
  const { items } = await api.list(networkPolicies, { namespace: metadata.namespace });
  const found = items.find((each) => each.metadata.name === metadata.name);
  const isVersion = versionOf(found) === metadata.annotations?.[versionAnnotation];
  return found !== undefined && isVersion && isDeepStrictEqual(found.spec, spec);
}

const versionOf = (policy: KubeObject | undefined): string | undefined =>
  policy?.metadata.annotations?.[versionAnnotation];

/** The names of the pods in a network's namespace, of all or of those with a label. */
export async function podsIn(
  api: HubApi,
  network: Owner,
  labelSelector?: string,
): Promise<string[]> {
  const { name: namespace } = networkNamespaceNamed(network).metadata;
  const selection = { namespace, ...(labelSelector !== undefined && { labelSelector }) };
  return (await api.listAll("v1", "Pod", selection)).map(({ metadata }) => metadata.name);
}
