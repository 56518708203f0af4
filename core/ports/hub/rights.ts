import { bareMetalHosts } from "../bare-metal/metal3/host.ts";
import {
  agentMachines,
  type CustomKind,
  infraEnvs,
  machines,
  managedClusters,
} from "../kubernetes/kube-object.ts";
import type { Right } from "../kubernetes/right.ts";
import {
  networkAttachments,
  networkPolicies,
  userDefinedNetworks,
} from "../network/ovn-kubernetes/kinds.ts";
import { metalLbNamespace } from "./clusters/hypershift/objects.ts";
import { approvals, revocations, signingRequests } from "./credentials/hypershift/objects.ts";
import { agentNamespace, reportedKinds } from "./reported-kinds.ts";

/**
 * The rights that Slipway's own credentials need on a hub: those of `checkHub`, `KubernetesHub` and
 * the hub agent, and no more.
 */
export const rights: Right[] = [
  ...to("", "namespaces", "get", "list", "create", "patch", "delete"),
  ...to("", "serviceaccounts", "create", "patch"),
  ...to("", "secrets", "get", "create", "patch", "delete"),
  ...inNamespace(
    metalLbNamespace,
    to("metallb.io", "ipaddresspools", "list", "create", "patch", "delete"),
  ),
  ...inNamespace(agentNamespace, to("rbac.authorization.k8s.io", "roles", "create", "patch")),
  ...to("rbac.authorization.k8s.io", "rolebindings", "create", "patch", "delete"),
  // Needed to bind a role that grants more rights than we have.
  { verb: "bind", group: "rbac.authorization.k8s.io", resource: "clusterroles", name: "admin" },
  // The watch uses this account when the hub agent has none of its own, as in local mode.
  ...toKind("HostedCluster", "get", "list", "watch", "create", "patch", "delete"),
  ...toKind("NodePool", "get", "list", "watch", "create", "patch", "delete"),
  // All verbs: RBAC forbids granting permissions that one does not hold, and we grant a role on
  // Agents to the CAPI provider.
  ...inNamespace(agentNamespace, toKind("Agent", "*")),
  ...inNamespace(agentNamespace, toCustom(infraEnvs, "list")),
  ...toCustom(agentMachines, "list"),
  ...toCustom(machines, "get", "patch"),
  ...toCustom(bareMetalHosts, "get", "patch"),
  ...toCustom(signingRequests, "get", "list", "create", "patch", "delete"),
  ...toCustom(approvals, "list", "create", "patch", "delete"),
  ...toCustom(revocations, "list", "create", "patch"),
  { verb: "delete", group: managedClusters.group, resource: managedClusters.plural },
  // For tenants' networks, and to list the pods that still use one.
  ...toCustom(userDefinedNetworks, "get", "list", "create", "patch", "delete"),
  ...toCustom(networkPolicies, "list", "create", "patch", "delete"),
  ...toCustom(networkAttachments, "get", "list"),
  ...to("", "pods", "list"),
];

function to(group: string, resource: string, ...verbs: string[]): Right[] {
  return verbs.map((verb) => ({ verb, group, resource }));
}

function inNamespace(namespace: string, of: Right[]): Right[] {
  return of.map((right) => ({ ...right, namespace }));
}

function toKind(kind: keyof typeof reportedKinds, ...verbs: string[]): Right[] {
  return toCustom(reportedKinds[kind], ...verbs);
}

function toCustom({ group, plural }: CustomKind, ...verbs: string[]): Right[] {
  return to(group, plural, ...verbs);
}
