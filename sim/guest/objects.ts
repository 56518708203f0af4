import type { Subscription } from "../../core/ports/guest/kubernetes/schema.ts";
import type { AddressPool, L2Advertisement } from "../../core/ports/kubernetes/metallb.ts";
import type { KubeCluster, KubeInput } from "../kubernetes/cluster.ts";
import type { KubeObject } from "../kubernetes/object.ts";
import type { KubeCondition } from "../operators/conditions.ts";
import type { ClusterPolicySpec, NodeFeatureDiscoverySpec } from "./gpu-schemas.ts";
import type { DeploymentSpec, JobSpec } from "./schemas.ts";

/** The objects that operators in a hosted cluster read and write, in their stored form. */

interface Conditions {
  conditions?: KubeCondition[];
}

export interface SubscriptionObject extends KubeObject {
  spec: Subscription["spec"];
  status?: Conditions;
}

export interface InstallPlan extends KubeObject {
  spec: { clusterServiceVersionNames: string[]; approved: boolean };
  status?: Conditions & { phase: "Installing" | "Complete"; message?: string };
}

export interface ServiceVersion extends KubeObject {
  status?: { phase: string; reason: string; message: string };
}

export interface OperatorGroupObject extends KubeObject {
  spec?: { targetNamespaces?: string[] };
}

export interface AddressPoolObject extends KubeObject {
  spec: AddressPool["spec"];
}

export interface AdvertisementObject extends KubeObject {
  spec: L2Advertisement["spec"];
}

export interface WithConditions extends KubeObject {
  status?: Conditions;
}

export interface IngressControllerObject extends KubeObject {
  spec: { defaultCertificate?: { name: string } };
  status?: Conditions & { observedGeneration?: number };
}

export interface Job extends KubeObject {
  spec: JobSpec;
  status?: Conditions;
}

export interface Deployment extends KubeObject {
  spec: DeploymentSpec;
  status?: Conditions;
}

export interface Pod extends KubeObject {
  spec: Omit<JobSpec["template"]["spec"], "restartPolicy"> & {
    restartPolicy: "OnFailure" | "Never" | "Always";
    /** The pod's node, once it is scheduled. */
    nodeName?: string;
  };
  status?: Conditions & { phase: "Pending" | "Running" | "Succeeded" | "Failed" };
}

export interface NodeFeatureDiscovery extends KubeObject {
  spec?: NodeFeatureDiscoverySpec;
  status?: Conditions;
}

export interface ClusterPolicy extends KubeObject {
  spec?: ClusterPolicySpec;
}

/** Creates the object unless it exists. */
export function ensure(cluster: KubeCluster, object: KubeInput): KubeObject {
  const { namespace, name = "" } = object.metadata;
  return cluster.get(object.kind, namespace, name) ?? cluster.create(object);
}
