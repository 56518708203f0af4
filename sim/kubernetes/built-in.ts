import {
  clusterRoleSchema,
  configMapSchema,
  eventSchema,
  leaseSchema,
  namespaceSchema,
  nodeSchema,
  podSchema,
  rbacGroup,
  roleBindingSchema,
  roleSchema,
  secretSchema,
  serviceAccountSchema,
  serviceSchema,
  signingRequestSchema,
} from "./built-in-schemas.ts";
import { nodeRoles, nodeStatus } from "./node-columns.ts";
import type { PrintColumn, ResourceKind } from "./object.ts";
import { ageColumn } from "./table.ts";

const column = (name: string, path: string, type: PrintColumn["type"] = "string"): PrintColumn => ({
  name,
  type,
  path,
});

const involved = ["kind", "namespace", "name", "uid", "apiVersion"];

/** Every built-in kind; a cluster serves these and its custom kinds. */
export const builtInKinds: ResourceKind[] = [
  core("Namespace", "namespaces", {
    namespaced: false,
    shortNames: ["ns"],
    subresources: ["status"],
    names: "label",
    spec: namespaceSchema,
    selectableFields: ["status.phase"],
    printColumns: [column("Status", ".status.phase"), ageColumn],
  }),
  core("Secret", "secrets", {
    spec: secretSchema,
    immutable: [{ path: "type", message: "field is immutable" }],
    selectableFields: ["type"],
    printColumns: [column("Type", ".type"), ageColumn],
  }),
  core("ConfigMap", "configmaps", { shortNames: ["cm"], spec: configMapSchema }),
  core("ServiceAccount", "serviceaccounts", { shortNames: ["sa"], spec: serviceAccountSchema }),
  core("Service", "services", {
    shortNames: ["svc"],
    categories: ["all"],
    subresources: ["status"],
    names: "label",
    spec: serviceSchema,
    printColumns: [
      column("Type", ".spec.type"),
      column("Cluster-IP", ".spec.clusterIP"),
      column("External-IP", ".status.loadBalancer.ingress[0].ip"),
      column("Port(s)", ".spec.ports[0].port", "integer"),
      ageColumn,
    ],
  }),
  core("Event", "events", {
    shortNames: ["ev"],
    spec: eventSchema,
    selectableFields: [...involved.map((name) => `involvedObject.${name}`), "reason", "type"],
    printColumns: [
      column("Last Seen", ".lastTimestamp", "date"),
      column("Type", ".type"),
      column("Reason", ".reason"),
      column("Object", ".involvedObject.name"),
      column("Message", ".message"),
    ],
  }),
  core("Node", "nodes", {
    namespaced: false,
    shortNames: ["no"],
    subresources: ["status"],
    spec: nodeSchema,
    selectableFields: ["spec.unschedulable"],
    printColumns: [
      { ...column("Status", ".status"), show: nodeStatus },
      { ...column("Roles", ".metadata.labels"), show: nodeRoles },
      ageColumn,
      column("Version", ".status.nodeInfo.kubeletVersion"),
    ],
  }),
  core("Pod", "pods", {
    shortNames: ["po"],
    categories: ["all"],
    subresources: ["status"],
    spec: podSchema,
    selectableFields: ["status.phase", "spec.nodeName"],
    printColumns: [column("Status", ".status.phase"), ageColumn],
  }),
  builtIn("coordination.k8s.io", "Lease", "leases", {
    spec: leaseSchema,
    printColumns: [column("Holder", ".spec.holderIdentity"), ageColumn],
  }),
  builtIn("certificates.k8s.io", "CertificateSigningRequest", "certificatesigningrequests", {
    namespaced: false,
    shortNames: ["csr"],
    subresources: ["status"],
    spec: signingRequestSchema,
    immutable: [{ path: "spec", message: "field is immutable" }],
    selectableFields: ["spec.signerName"],
    printColumns: [
      ageColumn,
      column("SignerName", ".spec.signerName"),
      column("Condition", ".status.conditions[0].type"),
    ],
  }),
  builtIn(rbacGroup, "Role", "roles", { names: "path", spec: roleSchema }),
  builtIn(rbacGroup, "ClusterRole", "clusterroles", {
    namespaced: false,
    names: "path",
    spec: clusterRoleSchema,
  }),
  builtIn(rbacGroup, "ClusterRoleBinding", "clusterrolebindings", {
    namespaced: false,
    names: "path",
    spec: roleBindingSchema,
    immutable: [{ path: "roleRef", message: "cannot change roleRef" }],
    printColumns: [column("Role", ".roleRef.name"), ageColumn],
  }),
  builtIn(rbacGroup, "RoleBinding", "rolebindings", {
    names: "path",
    spec: roleBindingSchema,
    immutable: [{ path: "roleRef", message: "cannot change roleRef" }],
    printColumns: [column("Role", ".roleRef.name"), ageColumn],
  }),
];

function core(kind: string, plural: string, rest: Partial<ResourceKind>): ResourceKind {
  return builtIn("", kind, plural, rest);
}

function builtIn(
  group: string,
  kind: string,
  plural: string,
  rest: Partial<ResourceKind>,
): ResourceKind {
  const singular = kind.toLowerCase();
  return { group, version: "v1", kind, plural, singular, namespaced: true, builtIn: true, ...rest };
}
