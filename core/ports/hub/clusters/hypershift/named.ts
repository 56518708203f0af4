import { apiVersionOf, type ObjectName } from "../../../kubernetes/kube-object.ts";
import { type Owner, ownerLabel } from "../../../owner.ts";
import { type NewsKind, reportedKinds } from "../../reported-kinds.ts";

/** The names of the objects of an owner's cluster on its hub. */

type Named = Pick<Owner, "name">;

/**
 * The namespace of the HostedCluster; it may not have the HostedCluster's name (docs/reference/hub.md
 * §1).
 */
export const namespaceOf = ({ name }: Named): string => `slipway-${name}`;

/** The namespace that HyperShift creates for the control plane. */
export const controlPlaneNamespaceOf = (owner: Named): string =>
  `${namespaceOf(owner)}-${owner.name}`;

export const labelSelectorOf = ({ kind, id }: Owner): string => `${ownerLabel(kind)}=${id}`;

export const selectionOf = (owner: Owner) => ({
  namespace: namespaceOf(owner),
  labelSelector: labelSelectorOf(owner),
});

export const named = (kind: NewsKind, name: string, namespace: string): ObjectName => ({
  apiVersion: apiVersionOf(reportedKinds[kind]),
  kind,
  metadata: { name, namespace },
});

export const hostedClusterNamed = (owner: Owner): ObjectName =>
  named("HostedCluster", owner.name, namespaceOf(owner));

export const namespaceNamed = (owner: Owner): ObjectName => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: namespaceOf(owner) },
});

export const secretNamed = (name: string, namespace: string): ObjectName => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, namespace },
});
