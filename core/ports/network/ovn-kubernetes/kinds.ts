import type { CustomKind } from "../../kubernetes/kube-object.ts";

/** The kinds of the objects of tenants' networks on a hub. */

export const userDefinedNetworks: CustomKind = {
  group: "k8s.ovn.org",
  version: "v1",
  kind: "ClusterUserDefinedNetwork",
  plural: "clusteruserdefinednetworks",
};
/** OVN-Kubernetes creates one in each namespace of a network; it attaches pods to the network. */
export const networkAttachments: CustomKind = {
  group: "k8s.cni.cncf.io",
  version: "v1",
  kind: "NetworkAttachmentDefinition",
  plural: "network-attachment-definitions",
};
export const networkPolicies: CustomKind = {
  group: "networking.k8s.io",
  version: "v1",
  kind: "NetworkPolicy",
  plural: "networkpolicies",
};

/** Namespaces with this label take part in a primary network; it cannot be added to an existing namespace. */
export const primaryLabel = "k8s.ovn.org/primary-user-defined-network";
