/**
 * The kinds and namespaces that manifests of a template must not use: those that do not belong in a hosted cluster,
 * those that its control plane or Slipway manages there, and those that could lock both out. Authors may use all
 * others. Each entry has the reason for the message to the author.
 */

interface Refusal {
  /** A group, or `*.` and the end of its name. `""` is the core group. */
  group: string;
  /** Absent for all kinds of the group. */
  kinds?: string[];
  reason: string;
}

const onHub = "it belongs on the hub, but manifests are applied to the hosted cluster only";
const ofControlPlane = "the hosted control plane owns it and reverts changes";
const mayLockOut = "it can shut Slipway and the control plane out of the cluster";
const ofOperators = "list the operator under 'operators'";
const notAnObject = "it is a request to the API server, not an object that is stored";

const refusals: Refusal[] = [
  { group: "hypershift.openshift.io", reason: onHub },
  { group: "*.hypershift.openshift.io", reason: onHub },
  { group: "agent-install.openshift.io", reason: onHub },
  { group: "*.agent-install.openshift.io", reason: onHub },
  { group: "hive.openshift.io", reason: onHub },
  { group: "*.hive.openshift.io", reason: onHub },
  { group: "cluster.x-k8s.io", reason: onHub },
  { group: "*.cluster.x-k8s.io", reason: onHub },
  { group: "metal3.io", reason: onHub },
  { group: "*.open-cluster-management.io", reason: onHub },
  {
    group: "machine.openshift.io",
    reason: "hosted clusters have no machines; nodes are ordered as node sets",
  },
  {
    group: "machineconfiguration.openshift.io",
    reason: "hosted clusters have no machine configs; nodes are configured by their NodePool",
  },
  {
    group: "config.openshift.io",
    reason: "it mirrors the HostedCluster, which reverts changes",
  },
  {
    group: "operator.openshift.io",
    kinds: [
      "Authentication",
      "CloudCredential",
      "DNS",
      "Etcd",
      "KubeAPIServer",
      "KubeControllerManager",
      "KubeScheduler",
      "Network",
      "OpenShiftAPIServer",
      "OpenShiftControllerManager",
      "ServiceCA",
    ],
    reason: ofControlPlane,
  },
  {
    group: "operator.openshift.io",
    kinds: ["IngressController"],
    reason: "Slipway sets up the cluster's ingress and its certificate",
  },
  { group: "metallb.io", reason: "addresses are claimed and announced by Slipway" },
  {
    group: "operators.coreos.com",
    kinds: ["ClusterServiceVersion", "InstallPlan", "OperatorGroup", "Subscription"],
    reason: ofOperators,
  },
  { group: "storage.k8s.io", kinds: ["StorageClass"], reason: "set it under 'storage'" },
  { group: "", kinds: ["Node"], reason: "nodes belong to their node set" },
  {
    group: "",
    kinds: ["Secret"],
    reason: "templates are stored and shown as they are, so they are no place for secrets",
  },
  { group: "", kinds: ["Binding", "Event", "List"], reason: "it is not an object to apply" },
  { group: "authentication.k8s.io", reason: notAnObject },
  { group: "authorization.k8s.io", reason: notAnObject },
  { group: "certificates.k8s.io", reason: "signing requests are how nodes join" },
  { group: "apiregistration.k8s.io", reason: mayLockOut },
  {
    group: "admissionregistration.k8s.io",
    kinds: [
      "MutatingAdmissionPolicy",
      "MutatingAdmissionPolicyBinding",
      "MutatingWebhookConfiguration",
      "ValidatingAdmissionPolicy",
      "ValidatingAdmissionPolicyBinding",
      "ValidatingWebhookConfiguration",
    ],
    reason: mayLockOut,
  },
  { group: "flowcontrol.apiserver.k8s.io", reason: mayLockOut },
];

/** Why a template must not have objects of this kind; undefined if it may. */
export function refusedKind(group: string, kind: string): string | undefined {
  const refusal = refusals.find(
    (each) =>
      (each.group.startsWith("*.") ? group.endsWith(each.group.slice(1)) : each.group === group) &&
      (each.kinds === undefined || each.kinds.includes(kind)),
  );
  return refusal?.reason ?? (kind.endsWith("List") ? "give the objects one by one" : undefined);
}

const ofCluster = "the cluster itself runs in it";
const ofSlipway = "Slipway manages it";

/** Namespaces, or the beginnings of their names (`…*`), each with the reason. */
const namespaces: [string, string][] = [
  ["kube-*", ofCluster],
  ["openshift-apiserver*", ofControlPlane],
  ["openshift-authentication*", ofControlPlane],
  ["openshift-cloud-*", ofControlPlane],
  ["openshift-cluster-csi-drivers", ofCluster],
  ["openshift-cluster-version", ofControlPlane],
  ["openshift-config", "it mirrors the HostedCluster, which reverts changes"],
  ["openshift-config-managed", ofControlPlane],
  ["openshift-controller-manager*", ofControlPlane],
  ["openshift-dns*", ofCluster],
  ["openshift-etcd*", ofControlPlane],
  ["openshift-ingress*", "Slipway sets up the cluster's ingress and its certificate"],
  ["openshift-kube-*", ofControlPlane],
  ["openshift-machine-*", "nodes belong to their node set"],
  ["openshift-marketplace", "catalogs belong to the provider"],
  ["openshift-multus", ofCluster],
  ["openshift-network-*", ofCluster],
  ["openshift-oauth-apiserver", ofControlPlane],
  ["openshift-operator-lifecycle-manager", ofControlPlane],
  ["openshift-ovn-kubernetes", ofCluster],
  ["openshift-service-ca*", ofCluster],
  ["metallb-system", "addresses are claimed and announced by Slipway"],
  ["ceph-csi-rbd", ofSlipway],
  ["slipway-*", ofSlipway],
];

/** Why a template must not write into this namespace; undefined if it may. */
export function refusedNamespace(namespace: string): string | undefined {
  return namespaces.find(([pattern]) =>
    pattern.endsWith("*") ? namespace.startsWith(pattern.slice(0, -1)) : namespace === pattern,
  )?.[1];
}

/** Whether objects of a well-known kind have a namespace; undefined for other kinds, such as custom ones. */
export function isNamespaced(group: string, kind: string): boolean | undefined {
  const name = group === "" ? kind : `${kind}.${group}`;
  if (inNamespaces.has(name)) return true;
  return acrossCluster.has(name) ? false : undefined;
}

const inNamespaces = new Set([
  "ConfigMap",
  "LimitRange",
  "PersistentVolumeClaim",
  "Pod",
  "ResourceQuota",
  "Service",
  "ServiceAccount",
  "CronJob.batch",
  "DaemonSet.apps",
  "Deployment.apps",
  "Job.batch",
  "NetworkPolicy.networking.k8s.io",
  "PodDisruptionBudget.policy",
  "Role.rbac.authorization.k8s.io",
  "RoleBinding.rbac.authorization.k8s.io",
  "StatefulSet.apps",
]);

const acrossCluster = new Set([
  "Namespace",
  "PersistentVolume",
  "ClusterRole.rbac.authorization.k8s.io",
  "ClusterRoleBinding.rbac.authorization.k8s.io",
  "CustomResourceDefinition.apiextensions.k8s.io",
  "PriorityClass.scheduling.k8s.io",
]);

/** The kinds whose scope is known; all are of version v1. */
export const wellKnownKinds = [...inNamespaces, ...acrossCluster].map((name) => {
  const [kind = "", ...group] = name.split(".");
  return { group: group.join("."), kind };
});
