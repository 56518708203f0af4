import * as z from "zod";
import {
  operatorGroupSchema,
  storageClassSchema,
  subscriptionSchema,
} from "../../core/ports/guest/kubernetes/schema.ts";
import {
  addressPoolSchema,
  l2AdvertisementSchema,
  metalLbSchema,
} from "../../core/ports/kubernetes/metallb.ts";
import { column, conditionColumn, customKind } from "../kubernetes/custom-kind.ts";
import type { ResourceKind } from "../kubernetes/object.ts";
import { objectSchema } from "../kubernetes/schema.ts";
import { ageColumn } from "../kubernetes/table.ts";
import { clusterPolicySchema, nodeFeatureDiscoverySchema } from "./gpu-schemas.ts";
import { claimSchema, deploymentSchema, jobSchema } from "./schemas.ts";

/**
 * The kinds that hosted clusters serve for objects of templates and of Slipway. Objects that Slipway writes may have
 * exactly the members that it uses.
 */

const coreos = "operators.coreos.com";

const olm: ResourceKind[] = [
  customKind(coreos, "v1alpha1", "CatalogSource", "catalogsources", { shortNames: ["catsrc"] }),
  customKind(coreos, "v1", "OperatorGroup", "operatorgroups", {
    shortNames: ["og"],
    spec: objectSchema({ spec: operatorGroupSchema.shape.spec }),
  }),
  customKind(coreos, "v1alpha1", "Subscription", "subscriptions", {
    shortNames: ["sub", "subs"],
    spec: objectSchema({ spec: subscriptionSchema.shape.spec }),
    printColumns: [
      column("Package", ".spec.name"),
      column("Source", ".spec.source"),
      column("Channel", ".spec.channel"),
    ],
  }),
  customKind(coreos, "v1alpha1", "InstallPlan", "installplans", {
    shortNames: ["ip"],
    printColumns: [column("CSV", ".spec.clusterServiceVersionNames[0]")],
  }),
  customKind(coreos, "v1alpha1", "ClusterServiceVersion", "clusterserviceversions", {
    shortNames: ["csv", "csvs"],
    printColumns: [column("Display", ".spec.displayName"), column("Phase", ".status.phase")],
  }),
];

const openShift: ResourceKind[] = [
  customKind("config.openshift.io", "v1", "Ingress", "ingresses", {
    namespaced: false,
    spec: objectSchema({ spec: z.strictObject({ domain: z.string() }) }),
    immutable: ["spec.domain"],
  }),
  customKind("operator.openshift.io", "v1", "IngressController", "ingresscontrollers", {
    spec: objectSchema({
      spec: z.strictObject({
        domain: z.string().optional(),
        defaultCertificate: z.strictObject({ name: z.string() }).optional(),
      }),
    }),
    printColumns: [conditionColumn("Available", "Available")],
  }),
];

const builtIn = { version: "v1", namespaced: true, builtIn: true } as const;

const workloads: ResourceKind[] = [
  {
    ...builtIn,
    group: "apps",
    kind: "Deployment",
    plural: "deployments",
    singular: "deployment",
    shortNames: ["deploy"],
    categories: ["all"],
    subresources: ["status"],
    spec: deploymentSchema,
    immutable: [{ path: "spec.selector", message: "field is immutable" }],
    printColumns: [
      column("Ready", ".status.readyReplicas", "integer"),
      column("Available", ".status.availableReplicas", "integer"),
      ageColumn,
    ],
  },
  {
    ...builtIn,
    group: "batch",
    kind: "Job",
    plural: "jobs",
    singular: "job",
    categories: ["all"],
    subresources: ["status"],
    spec: jobSchema,
    immutable: [{ path: "spec.template", message: "field is immutable" }],
    printColumns: [column("Completions", ".status.succeeded", "integer"), ageColumn],
  },
  {
    ...builtIn,
    group: "",
    kind: "PersistentVolumeClaim",
    plural: "persistentvolumeclaims",
    singular: "persistentvolumeclaim",
    shortNames: ["pvc"],
    subresources: ["status"],
    spec: claimSchema,
    printColumns: [column("Status", ".status.phase"), ageColumn],
  },
  {
    ...builtIn,
    group: "storage.k8s.io",
    kind: "StorageClass",
    plural: "storageclasses",
    singular: "storageclass",
    shortNames: ["sc"],
    namespaced: false,
    spec: storageClass(),
    immutable: ["provisioner", "parameters", "reclaimPolicy"].map((path) => ({
      path,
      message: `updates to ${path} are forbidden.`,
    })),
    printColumns: [column("Provisioner", ".provisioner"), ageColumn],
  },
];

const definitions: ResourceKind = {
  ...builtIn,
  group: "apiextensions.k8s.io",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  singular: "customresourcedefinition",
  shortNames: ["crd", "crds"],
  namespaced: false,
  subresources: ["status"],
};

const metalLb = "metallb.io";
/** A kind without behaviour. */
const open = { spec: objectSchema({ spec: z.looseObject({}).optional() }) };
const openGlobal = { ...open, namespaced: false };

/** Kinds that are served once an operator has installed their CustomResourceDefinition. */
const ofOperators: ResourceKind[] = [
  customKind(metalLb, "v1beta1", "MetalLB", "metallbs", {
    spec: objectSchema({ spec: metalLbSchema.shape.spec.optional() }),
  }),
  customKind(metalLb, "v1beta1", "IPAddressPool", "ipaddresspools", {
    spec: objectSchema({ spec: addressPoolSchema.shape.spec }),
  }),
  customKind(metalLb, "v1beta1", "L2Advertisement", "l2advertisements", {
    spec: objectSchema({ spec: l2AdvertisementSchema.shape.spec }),
  }),
  customKind("nfd.openshift.io", "v1", "NodeFeatureDiscovery", "nodefeaturediscoveries", {
    spec: nodeFeatureDiscoverySchema,
  }),
  customKind("nvidia.com", "v1", "ClusterPolicy", "clusterpolicies", {
    namespaced: false,
    spec: clusterPolicySchema,
    printColumns: [column("Status", ".status.state"), ageColumn],
  }),
  customKind("lvm.topolvm.io", "v1alpha1", "LVMCluster", "lvmclusters", open),
  customKind("cert-manager.io", "v1", "ClusterIssuer", "clusterissuers", openGlobal),
  customKind("cert-manager.io", "v1", "Certificate", "certificates", open),
  customKind(
    "datasciencecluster.opendatahub.io",
    "v1",
    "DataScienceCluster",
    "datascienceclusters",
    openGlobal,
  ),
];

export const guestKinds: ResourceKind[] = [
  ...olm,
  ...openShift,
  ...workloads,
  definitions,
  ...ofOperators,
];

/** Whether a kind comes from an operator instead of the cluster. */
export const isOfOperator = (kind: ResourceKind): boolean => ofOperators.includes(kind);

function storageClass() {
  const { provisioner, parameters, reclaimPolicy, allowVolumeExpansion, volumeBindingMode } =
    storageClassSchema.shape;
  return objectSchema({
    provisioner,
    parameters: parameters.optional(),
    reclaimPolicy: reclaimPolicy.default("Delete"),
    allowVolumeExpansion: allowVolumeExpansion.optional(),
    volumeBindingMode: volumeBindingMode.default("Immediate"),
  });
}
