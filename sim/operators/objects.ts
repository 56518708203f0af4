import type {
  HostedCluster as HostedClusterInput,
  NodePool as NodePoolInput,
} from "../../core/ports/hub/clusters/hypershift/schema.ts";
import type { AddressPool as AddressPoolInput } from "../../core/ports/kubernetes/metallb.ts";
import type { KubeObject, OwnerReference } from "../kubernetes/object.ts";
import type { KubeCondition } from "./conditions.ts";

/** The objects that operators read and write, as they are stored. */

export interface HostedCluster extends KubeObject {
  spec: HostedClusterInput["spec"];
  status?: HostedClusterStatus;
}

export interface HostedClusterStatus {
  conditions?: KubeCondition[];
  version?: VersionStatus;
  controlPlaneVersion?: ControlPlaneVersionStatus;
  controlPlaneEndpoint?: { host: string; port: number };
  ignitionEndpoint?: string;
  kubeconfig?: { name: string };
  kubeadminPassword?: { name: string };
}

/** The report of the cluster's own version operator. */
interface VersionStatus {
  desired: Release;
  /** The releases, the newest first. */
  history: VersionHistory[];
  observedGeneration: number;
  /** Null while updates cannot be retrieved. */
  availableUpdates: null;
}

export interface VersionHistory extends ControlPlaneHistory {
  verified: boolean;
  /** Null until the release is complete. */
  completionTime: string | null;
}

/** HyperShift's report of the control plane's version, which has a form of its own. */
interface ControlPlaneVersionStatus {
  desired: Release;
  history: ControlPlaneHistory[];
  observedGeneration: number;
}

export interface ControlPlaneHistory {
  state: "Partial" | "Completed";
  image: string;
  version: string;
  startedTime: string;
  /** Absent until the release is complete. */
  completionTime?: string | null;
}

interface Release {
  image: string;
  version: string;
}

export interface NodePool extends KubeObject {
  spec: NodePoolInput["spec"];
  status?: { replicas?: number; version?: string; conditions?: KubeCondition[] };
}

export interface Machine extends KubeObject {
  spec: { clusterName: string; version: string; providerID?: string };
  status?: {
    phase?: string;
    nodeRef?: { kind: "Node"; name: string };
    conditions?: KubeCondition[];
  };
}

export interface AgentMachine extends KubeObject {
  spec: { agentLabelSelector: { matchLabels: Record<string, string> }; providerID?: string };
  status?: {
    ready?: boolean;
    agentRef?: { namespace: string; name: string };
    addresses?: { type: string; address: string }[];
    conditions?: KubeCondition[];
  };
}

export interface Agent extends KubeObject {
  spec: {
    approved: boolean;
    role: string;
    hostname?: string;
    clusterDeploymentName?: { name: string; namespace: string };
  };
  status?: {
    role?: string;
    inventory?: Inventory;
    progress?: Record<string, unknown>;
    conditions?: KubeCondition[];
    debugInfo?: { state: AgentState; stateInfo: string };
    validationsInfo?: Record<string, { id: string; status: string; message: string }[]>;
  };
}

export interface Inventory {
  hostname: string;
  bmcAddress: string;
  interfaces: { name: string; macAddress: string; hasCarrier: boolean; ipV4Addresses: string[] }[];
  disks: { name: string; bootable?: boolean; [member: string]: unknown }[];
  gpus?: { vendorID: string }[];
  [member: string]: unknown;
}

/** `status.debugInfo.state`: the host's state in assisted-service. */
export type AgentState =
  | "discovering-unbound"
  | "known-unbound"
  | "disconnected-unbound"
  | "binding"
  | "discovering"
  | "insufficient"
  | "known"
  | "disconnected"
  | "installing"
  | "installing-in-progress"
  | "installing-pending-user-action"
  | "added-to-existing-cluster"
  | "error"
  | "unbinding"
  | "unbinding-pending-user-action"
  | "reclaiming"
  | "reclaiming-rebooting";

export interface Service extends KubeObject {
  spec: { type?: string; ports: { port: number }[] };
  status?: { loadBalancer?: { ingress?: { ip: string }[] } };
}

export interface AddressPool extends KubeObject {
  spec: AddressPoolInput["spec"];
}

export interface HostedControlPlane extends KubeObject {
  spec: { hostedCluster: { namespace: string; name: string }; agentNamespace: string };
}

/** Casts a stored object to its kind; the server has validated every write against the kind's schema. */
export function read<Kind extends KubeObject>(object: KubeObject): Kind {
  return object as Kind;
}

/** The namespace of a HostedCluster's control plane (reference: HyperShift's manifests.go). */
export function controlPlaneNamespace({ metadata }: KubeObject): string {
  return `${metadata.namespace}-${metadata.name.replaceAll(".", "-")}`;
}

export function ownedBy({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid };
}

export const hypershiftFinalizer = "hypershift.openshift.io/finalizer";
/** The annotation of a Machine with its NodePool, `<namespace>/<name>`. */
export const nodePoolAnnotation = "hypershift.openshift.io/nodePool";
