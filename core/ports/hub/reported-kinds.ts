import type { Selection } from "../kubernetes/api.ts";
import type { CustomKind } from "../kubernetes/kube-object.ts";
import { clusterLabel } from "./clusters/labels.ts";

/** The namespace of agents on every hub. */
export const agentNamespace = "hardware-inventory";

/** The kinds of objects that hubs report. */
export const newsKinds = ["HostedCluster", "NodePool", "Agent"] as const;
export type NewsKind = (typeof newsKinds)[number];

/** A kind of objects that hubs report. */
export interface ReportedKind extends CustomKind {
  /** Selects the objects that the hub agent watches and a sweep reads: those of Slipway. */
  selection: Selection;
  /** The paths of the members that Slipway reads. No other member leaves the hub. */
  read: readonly string[];
}

const hypershift = {
  group: "hypershift.openshift.io",
  version: "v1beta1",
  selection: { labelSelector: clusterLabel },
};

export const reportedKinds: Readonly<Record<NewsKind, ReportedKind>> = {
  HostedCluster: {
    ...hypershift,
    kind: "HostedCluster",
    plural: "hostedclusters",
    read: [
      "spec.release.image",
      "status.conditions",
      "status.controlPlaneEndpoint",
      "status.kubeadminPassword.name",
      "status.kubeconfig.name",
      "status.version.history",
    ],
  },
  NodePool: {
    ...hypershift,
    kind: "NodePool",
    plural: "nodepools",
    read: [
      "spec.clusterName",
      "spec.release.image",
      "spec.replicas",
      "status.conditions",
      "status.replicas",
      "status.version",
    ],
  },
  Agent: {
    group: "agent-install.openshift.io",
    version: "v1beta1",
    kind: "Agent",
    plural: "agents",
    selection: { namespace: agentNamespace },
    // Only these members of debugInfo: its URLs carry tokens.
    read: [
      "spec.approved",
      "spec.clusterDeploymentName",
      "spec.hostname",
      "status.conditions",
      "status.debugInfo.state",
      "status.debugInfo.stateInfo",
      "status.inventory.interfaces",
      "status.progress",
    ],
  },
};
