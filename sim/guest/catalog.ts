/** An operator in a catalog. */
export interface Package {
  name: string;
  source: string;
  channels: string[];
  /** The name of its ClusterServiceVersion. */
  version: string;
  displayName: string;
  /** The operator's Deployment; its ClusterServiceVersion waits for the pods. */
  deployment: string;
  installModes: readonly ("AllNamespaces" | "OwnNamespace")[];
  /** The CustomResourceDefinitions of the operator, `<plural>.<group>`. */
  definitions: string[];
  webhook?: Webhook;
}

/** A webhook that is called before objects of some kinds are written. */
export interface Webhook {
  /** The Service in front of it, in the operator's namespace. */
  service: string;
  /** The webhook's name for each kind. */
  names: Record<string, string>;
}

/** The catalogs of every hosted cluster. */
export const sources = ["redhat-operators", "certified-operators", "community-operators"];

const both = ["AllNamespaces", "OwnNamespace"] as const;

export const packages: Package[] = [
  {
    name: "metallb-operator",
    source: "redhat-operators",
    channels: ["stable"],
    version: "metallb-operator.v4.17.0-202501070305",
    displayName: "MetalLB Operator",
    deployment: "metallb-operator-controller-manager",
    installModes: both,
    definitions: [
      "metallbs.metallb.io",
      "ipaddresspools.metallb.io",
      "l2advertisements.metallb.io",
    ],
    webhook: {
      service: "metallb-operator-webhook-server-service",
      names: {
        IPAddressPool: "ipaddresspoolvalidationwebhook.metallb.io",
        L2Advertisement: "l2advertisementvalidationwebhook.metallb.io",
      },
    },
  },
  {
    name: "nfd",
    source: "redhat-operators",
    channels: ["stable"],
    version: "nfd.4.17.0-202501081511",
    displayName: "Node Feature Discovery Operator",
    deployment: "nfd-controller-manager",
    installModes: ["OwnNamespace"],
    definitions: ["nodefeaturediscoveries.nfd.openshift.io"],
  },
  {
    name: "gpu-operator-certified",
    source: "certified-operators",
    channels: ["stable", "v24.6", "v24.9"],
    version: "gpu-operator-certified.v24.9.1",
    displayName: "NVIDIA GPU Operator",
    deployment: "gpu-operator",
    installModes: ["OwnNamespace"],
    definitions: ["clusterpolicies.nvidia.com"],
  },
  {
    name: "rhods-operator",
    source: "redhat-operators",
    channels: ["stable", "fast"],
    version: "rhods-operator.2.16.0",
    displayName: "Red Hat OpenShift AI",
    deployment: "rhods-operator",
    installModes: ["AllNamespaces"],
    definitions: ["datascienceclusters.datasciencecluster.opendatahub.io"],
  },
  {
    name: "openshift-cert-manager-operator",
    source: "redhat-operators",
    channels: ["stable-v1"],
    version: "cert-manager-operator.v1.15.0",
    displayName: "cert-manager Operator for Red Hat OpenShift",
    deployment: "cert-manager-operator-controller-manager",
    installModes: both,
    definitions: ["clusterissuers.cert-manager.io", "certificates.cert-manager.io"],
  },
  {
    name: "lvms-operator",
    source: "redhat-operators",
    channels: ["stable-4.17"],
    version: "lvms-operator.v4.17.2",
    displayName: "LVM Storage",
    deployment: "lvms-operator",
    installModes: ["OwnNamespace"],
    definitions: ["lvmclusters.lvm.topolvm.io"],
  },
];

export const packageOf = (version: string): Package | undefined =>
  packages.find((one) => one.version === version);
