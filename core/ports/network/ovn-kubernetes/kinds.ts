import type { CustomKind } from "../../kubernetes/kube-object.ts";

/** The kinds of objects of which tenants' networks consist on a hub. */

export const userDefinedNetworks: CustomKind = {
  group: "k8s.ovn.org",
  version: "v1",
  kind: "ClusterUserDefinedNetwork",
  plural: "clusteruserdefinednetworks",
};
/** OVN-Kubernetes makes one in each namespace of a network; pods are attached through it. */
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

/** Namespaces with this label take part in a primary network; nobody can add it to one that exists. */
export const primaryLabel = "k8s.ovn.org/primary-user-defined-network";
