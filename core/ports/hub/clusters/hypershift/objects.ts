import type { AddressPool } from "../../../kubernetes/metallb.ts";
import type {
  KubeRole,
  KubeSecret,
  Namespace,
  RoleBinding,
  ServiceAccount,
} from "../../../kubernetes/schema.ts";
import { type Owner, ownerLabel, tenantLabel } from "../../../owner.ts";
import { agentLabels } from "../../agents/labels.ts";
import { ownAccount } from "../../own-account.ts";
import { agentNamespace } from "../../reported-kinds.ts";
import { nameLabel, nodeSetLabel } from "../labels.ts";
import type { Deployment, NodeSetDeployment, Workers } from "../port.ts";
import { identityConfiguration, identitySecret } from "./identity-provider.ts";
import { controlPlaneNamespaceOf, namespaceOf } from "./named.ts";
import type { HostedCluster, NodePool } from "./schema.ts";

/** The objects of an order on its hub. Pure: the same deployment gives the same objects. */

export type ControlPlaneObject =
  | Namespace
  | ServiceAccount
  | RoleBinding
  | KubeSecret
  | KubeRole
  | AddressPool
  | HostedCluster;

const serviceAccountName = "slipway";
/** A subject of a role binding. */
type Subject = RoleBinding["subjects"][number];

const rbac = "rbac.authorization.k8s.io";
/** Without a hostname, HyperShift announces the address. */
const servicesOf = ({ api }: Deployment): HostedCluster["spec"]["services"] => [
  {
    service: "APIServer",
    servicePublishingStrategy: {
      type: "LoadBalancer",
      ...(api?.hostname !== undefined && { loadBalancer: { hostname: api.hostname } }),
    },
  },
  { service: "OAuthServer", servicePublishingStrategy: { type: "Route" } },
  { service: "OIDC", servicePublishingStrategy: { type: "Route" } },
  { service: "Konnectivity", servicePublishingStrategy: { type: "Route" } },
  { service: "Ignition", servicePublishingStrategy: { type: "Route" } },
];

export const pullSecretName = ({ name }: Owner): string => `pullsecret-cluster-${name}`;
export const sshKeyName = ({ name }: Owner): string => `sshkey-cluster-${name}`;
export const roleBindingNames = ["slipway-admin", "hub-access"] as const;

/** The subject for a hub's user in a role binding. */
export function subjectOf(username: string): Subject {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username) ?? [];
  if (namespace !== undefined && name !== undefined)
    return { kind: "ServiceAccount", name, namespace };
  return { kind: "User", apiGroup: rbac, name: username };
}

/**
 * All objects up to the HostedCluster, in the order in which they are applied. `ourselves` is
 * Slipway's own subject on the hub.
 */
export function controlPlaneObjects(
  deployment: Deployment,
  ourselves: Subject = { kind: "ServiceAccount", ...ownAccount },
): ControlPlaneObject[] {
  const [admin, hubAccess] = roleBindingNames;
  const own = {
    kind: "ServiceAccount",
    name: serviceAccountName,
    namespace: namespaceOf(deployment),
  } as const;
  return [
    {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespaceOf(deployment), labels: labelsOf(deployment) },
    },
    {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: inNamespace(deployment, serviceAccountName),
    },
    adminBinding(deployment, admin, own),
    adminBinding(deployment, hubAccess, ourselves),
    pullSecret(deployment),
    ...sshSecret(deployment),
    ...(deployment.identityProvider
      ? [identitySecret(deployment, deployment.identityProvider, labelsOf(deployment))]
      : []),
    capiProviderRole(),
    ...addressPool(deployment),
    hostedCluster(deployment),
  ];
}

export const addressPoolName = ({ name }: Owner): string => `slipway-${name}`;
export const metalLbNamespace = "metallb-system";

/**
 * Sets the API's address: HyperShift has no field for it, so an address pool with one address serves only the
 * control plane's namespace (docs/reference/hub.md §2.7).
 */
function addressPool(deployment: Deployment): AddressPool[] {
  if (!deployment.api) return [];
  const { address } = deployment.api;
  return [
    {
      apiVersion: "metallb.io/v1beta1",
      kind: "IPAddressPool",
      metadata: {
        name: addressPoolName(deployment),
        namespace: metalLbNamespace,
        labels: labelsOf(deployment),
      },
      spec: {
        addresses: [`${address}-${address}`],
        autoAssign: true,
        serviceAllocation: {
          priority: 1,
          namespaceSelectors: [
            { matchLabels: { "kubernetes.io/metadata.name": controlPlaneNamespaceOf(deployment) } },
          ],
        },
      },
    },
  ];
}

export function nodePool(deployment: Workers, nodeSet: NodeSetDeployment): NodePool {
  return {
    apiVersion: "hypershift.openshift.io/v1beta1",
    kind: "NodePool",
    metadata: {
      name: nodeSet.nodePool,
      namespace: namespaceOf(deployment),
      labels: { ...labelsOf(deployment), [nodeSetLabel]: nodeSet.name },
    },
    spec: {
      clusterName: deployment.name,
      replicas: nodeSet.size,
      release: { image: nodeSet.releaseImage ?? deployment.releaseImage },
      // Replace would need a spare host for each upgrade.
      management: { autoRepair: false, upgradeType: "InPlace" },
      // Without a timeout, a PodDisruptionBudget can block a drain, and so a deletion, for ever. The spelling
      // is Go's own, in which the operator writes it back: with any other, each apply would change the pool.
      nodeDrainTimeout: "30m0s",
      platform: {
        type: "Agent",
        agent: { agentLabelSelector: { matchLabels: agentLabels(deployment, nodeSet.name) } },
      },
    },
  };
}

function hostedCluster(deployment: Deployment): HostedCluster {
  const workers = deployment.nodeSets.reduce((sum, { size }) => sum + size, 0);
  const sshKey = deployment.sshPublicKey !== undefined && {
    sshKey: { name: sshKeyName(deployment) },
  };
  return {
    apiVersion: "hypershift.openshift.io/v1beta1",
    kind: "HostedCluster",
    metadata: {
      name: deployment.name,
      namespace: namespaceOf(deployment),
      labels: {
        ...labelsOf(deployment),
        "cluster.open-cluster-management.io/clusterset": "default",
      },
    },
    spec: {
      release: { image: deployment.releaseImage },
      pullSecret: { name: pullSecretName(deployment) },
      ...sshKey,
      infraID: deployment.name,
      ...(deployment.identityProvider && {
        configuration: identityConfiguration(deployment, deployment.identityProvider),
      }),
      dns: { baseDomain: deployment.baseDomain },
      networking: {
        networkType: "OVNKubernetes",
        clusterNetwork: [{ cidr: deployment.podCidr }],
        serviceNetwork: [{ cidr: deployment.serviceCidr }],
      },
      etcd: {
        managementType: "Managed",
        managed: {
          storage: { type: "PersistentVolume", persistentVolume: { size: "8Gi" } },
        },
      },
      platform: { type: "Agent", agent: { agentNamespace } },
      services: servicesOf(deployment),
      controllerAvailabilityPolicy: "HighlyAvailable",
      infrastructureAvailabilityPolicy: workers > 1 ? "HighlyAvailable" : "SingleReplica",
      olmCatalogPlacement: "management",
    },
  };
}

function adminBinding(deployment: Deployment, name: string, subject: Subject): RoleBinding {
  return {
    apiVersion: `${rbac}/v1`,
    kind: "RoleBinding",
    metadata: inNamespace(deployment, name),
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "admin" },
    subjects: [subject],
  };
}

export function pullSecret(deployment: Deployment): KubeSecret {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: inNamespace(deployment, pullSecretName(deployment)),
    type: "kubernetes.io/dockerconfigjson",
    data: { ".dockerconfigjson": base64(deployment.pullSecret) },
  };
}

function sshSecret(deployment: Deployment): KubeSecret[] {
  if (deployment.sshPublicKey === undefined) return [];
  return [
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: inNamespace(deployment, sshKeyName(deployment)),
      type: "Opaque",
      data: { "id_rsa.pub": base64(deployment.sshPublicKey) },
    },
  ];
}

/**
 * Permits every hosted cluster's CAPI provider to use the agents. Older operators only bind to this role,
 * newer ones delete it with any cluster, so each order applies it again; no order owns it.
 */
function capiProviderRole(): KubeRole {
  return {
    apiVersion: `${rbac}/v1`,
    kind: "Role",
    metadata: { name: "capi-provider-role", namespace: agentNamespace },
    rules: [{ apiGroups: ["agent-install.openshift.io"], resources: ["agents"], verbs: ["*"] }],
  };
}

function labelsOf(deployment: Workers): Record<string, string> {
  const { kind, id, tenant, givenName } = deployment;
  return { [ownerLabel(kind)]: id, [tenantLabel]: tenant, [nameLabel]: givenName };
}

function inNamespace(deployment: Workers, name: string) {
  return { name, namespace: namespaceOf(deployment), labels: labelsOf(deployment) };
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
