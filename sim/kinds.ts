import { agentSchema } from "../core/ports/hub/agents/assisted/schema.ts";
import {
  hostedClusterSchema,
  nodePoolSchema,
} from "../core/ports/hub/clusters/hypershift/schema.ts";
import {
  revocationObjectSchema,
  signingApprovalSchema,
} from "../core/ports/hub/credentials/hypershift/schema.ts";
import { addressPoolSchema } from "../core/ports/kubernetes/metallb.ts";
import {
  networkPolicySchema,
  userDefinedNetworkSchema,
} from "../core/ports/network/ovn-kubernetes/schema.ts";
import { guestKinds } from "./guest/kinds.ts";
import { builtInKinds } from "./kubernetes/built-in.ts";
import { column, conditionColumn, customKind as custom } from "./kubernetes/custom-kind.ts";
import type { ResourceKind } from "./kubernetes/object.ts";
import { objectSchema } from "./kubernetes/schema.ts";
import { webhookKind } from "./kubernetes/webhooks.ts";
import { bareMetalHostKind } from "./metal3/kind.ts";
import { refusesPrimaryLabel } from "./operators/user-defined-networks.ts";

/**
 * The kinds that hubs and hosted clusters serve. A hub accepts objects of Slipway only with the members in Slipway's
 * own schemas; `metadata` and `status` belong to the server.
 */

const hypershift = "hypershift.openshift.io";
const certificates = "certificates.hypershift.openshift.io";

const hostedClusters = custom(hypershift, "v1beta1", "HostedCluster", "hostedclusters", {
  shortNames: ["hc", "hcs"],
  names: "label",
  spec: objectSchema({ spec: hostedClusterSchema.shape.spec }),
  immutable: [
    "spec.services",
    "spec.networking.clusterNetwork",
    "spec.networking.serviceNetwork",
    "spec.dns.baseDomain",
    "spec.infraID",
    "spec.controllerAvailabilityPolicy",
    "spec.olmCatalogPlacement",
    "spec.platform.type",
  ],
  printColumns: [
    column("Version", '.status.version.history[?(@.state=="Completed")].version'),
    column("KubeConfig", ".status.kubeconfig.name"),
    column("Progress", ".status.version.history[0].state"),
    conditionColumn("Available", "Available"),
    conditionColumn("Progressing", "Progressing"),
    conditionColumn("Message", "Available", "message"),
  ],
});

const nodePools = custom(hypershift, "v1beta1", "NodePool", "nodepools", {
  shortNames: ["np", "nps"],
  subresources: ["status", "scale"],
  spec: objectSchema({ spec: nodePoolSchema.shape.spec }),
  immutable: ["spec.clusterName", "spec.management.upgradeType", "spec.platform.type"],
  printColumns: [
    column("Cluster", ".spec.clusterName"),
    column("Desired Nodes", ".spec.replicas", "integer"),
    column("Current Nodes", ".status.replicas", "integer"),
    column("Version", ".status.version"),
    conditionColumn("Message", "AllMachinesReady", "message"),
  ],
});

const agents = custom("agent-install.openshift.io", "v1beta1", "Agent", "agents", {
  spec: objectSchema({ spec: agentSchema.shape.spec }),
  printColumns: [
    column("Cluster", ".spec.clusterDeploymentName.name"),
    column("Approved", ".spec.approved", "boolean"),
    column("Role", ".status.role"),
    column("Stage", ".status.progress.currentStage"),
    column("State", ".status.debugInfo.state"),
    { ...column("Hostname", ".status.inventory.hostname"), priority: 1 },
  ],
});

const infraEnvs = custom("agent-install.openshift.io", "v1beta1", "InfraEnv", "infraenvs", {
  printColumns: [
    column("ISO Created At", ".status.createdTime"),
    { ...column("ISO URL", ".status.isoDownloadURL"), priority: 1 },
  ],
});

const machines = custom("cluster.x-k8s.io", "v1beta1", "Machine", "machines", {
  shortNames: ["ma"],
  printColumns: [
    column("Cluster", ".spec.clusterName"),
    column("NodeName", ".status.nodeRef.name"),
    column("Phase", ".status.phase"),
  ],
});

const agentMachines = custom(
  "capi-provider.agent-install.openshift.io",
  "v1beta1",
  "AgentMachine",
  "agentmachines",
  { printColumns: [column("Agent", ".status.agentRef.name")] },
);

const userDefinedNetworks = custom(
  "k8s.ovn.org",
  "v1",
  "ClusterUserDefinedNetwork",
  "clusteruserdefinednetworks",
  {
    shortNames: ["cudn"],
    namespaced: false,
    spec: objectSchema({ spec: userDefinedNetworkSchema.shape.spec }),
    immutable: [
      { path: "spec.network.topology", message: "Topology is immutable" },
      { path: "spec.network.layer2", message: "Layer2 is immutable" },
    ],
  },
);

const networkPolicies: ResourceKind = {
  ...custom("networking.k8s.io", "v1", "NetworkPolicy", "networkpolicies"),
  builtIn: true,
  subresources: [],
  shortNames: ["netpol"],
  spec: objectSchema({ spec: networkPolicySchema.shape.spec }),
};

export const hubKinds: ResourceKind[] = [
  ...builtInKinds.map((each) =>
    each.kind === "Namespace" ? { ...each, refuses: refusesPrimaryLabel } : each,
  ),
  webhookKind,
  userDefinedNetworks,
  networkPolicies,
  custom("k8s.cni.cncf.io", "v1", "NetworkAttachmentDefinition", "network-attachment-definitions", {
    shortNames: ["net-attach-def"],
    subresources: [],
  }),
  hostedClusters,
  nodePools,
  custom(hypershift, "v1beta1", "HostedControlPlane", "hostedcontrolplanes", {
    shortNames: ["hcp"],
  }),
  custom(
    certificates,
    "v1alpha1",
    "CertificateSigningRequestApproval",
    "certificatesigningrequestapprovals",
    {
      shortNames: ["csra", "csras"],
      spec: objectSchema({ spec: signingApprovalSchema.shape.spec }),
    },
  ),
  custom(
    certificates,
    "v1alpha1",
    "CertificateRevocationRequest",
    "certificaterevocationrequests",
    {
      shortNames: ["crr", "crrs"],
      spec: objectSchema({ spec: revocationObjectSchema.shape.spec }),
      immutable: [{ path: "spec.signerClass", message: "signerClass is immutable" }],
    },
  ),
  agents,
  infraEnvs,
  machines,
  agentMachines,
  bareMetalHostKind,
  custom("metallb.io", "v1beta1", "IPAddressPool", "ipaddresspools", {
    spec: objectSchema({ spec: addressPoolSchema.shape.spec }),
  }),
  custom("cluster.open-cluster-management.io", "v1", "ManagedCluster", "managedclusters", {
    namespaced: false,
  }),
];

export const hostedKinds: ResourceKind[] = [
  ...builtInKinds,
  custom("config.openshift.io", "v1", "ClusterOperator", "clusteroperators", {
    shortNames: ["co"],
    namespaced: false,
    printColumns: [
      column("Version", '.status.versions[?(@.name=="operator")].version'),
      conditionColumn("Available", "Available"),
      conditionColumn("Progressing", "Progressing"),
      conditionColumn("Degraded", "Degraded"),
      conditionColumn("Message", "Available", "message"),
    ],
  }),
  custom("config.openshift.io", "v1", "ClusterVersion", "clusterversions", {
    namespaced: false,
    printColumns: [
      column("Version", '.status.history[?(@.state=="Completed")].version'),
      conditionColumn("Available", "Available"),
      conditionColumn("Progressing", "Progressing"),
      conditionColumn("Status", "Progressing", "message"),
    ],
  }),
  ...guestKinds,
];
