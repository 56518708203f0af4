import {
  type AutomaticIp,
  type FloatingIpUse,
  floatingIpUses,
  type Progress,
  type Regrouped,
  type SiteRecord,
  type Standing,
} from "../../at-site/at-site.ts";
import type { ClusterId, OperationId } from "../../id.ts";
import type { Condition } from "../../kernel/object/condition.ts";
import type { Failure } from "../../kernel/object/failure.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { Placed } from "../../kernel/object/traits.ts";
import type { Json } from "../../kernel/store/store.ts";
import type { ObservedOperators, Release } from "../../ports/hub/clusters/port.ts";
import type { Observation } from "../../ports/hub/observation.ts";
import type { NetworkAttachment } from "../subnet/attaching.ts";

/**
 * An OpenShift cluster with a hosted control plane. The API writes `spec` (intent), the reservation
 * writes `placement`, observers write `observed`; `status` is computed from all of them by `status.ts`.
 * The API parses requests into this form.
 */

export interface NodeSet {
  host_type: Reference;
  size: number;
}

/** Node sets by name. */
export type NodeSets = Record<string, NodeSet>;

export interface ClusterSpec {
  template: Reference;
  /** The offer of the order. */
  catalog_item?: Reference;
  template_parameters: Record<string, Json>;
  node_sets: NodeSets;
  version: Reference;
  network: { pod_cidr?: string; service_cidr?: string };
  ssh_public_key?: string;
  /** Reference into the secret store; absent means the provider's own. */
  pull_secret?: string;
  /** The object of kind `secret` that holds the pull secret instead. */
  pull_secret_secret?: Reference;
  /** The tenant's subnet that its hosts stand in; without it they have a network of their own. */
  network_attachment?: NetworkAttachment;
  /** Its outside addresses are external IPs of its tenant, which come and go with it. */
  auto_external_ip_attachment?: true;
  /** Constraints on the placement: a region, labels that the hub must have. */
  placement?: { region?: string; labels?: Record<string, string> };
}

/** One for each use, at the site of their pool, where the cluster has to be. */
export interface AutomaticIps extends Record<FloatingIpUse, AutomaticIp> {
  site: string;
}

export const clusterStates = [
  "PROGRESSING",
  "READY",
  "FAILED",
  "DELETING",
  "DELETE_FAILED",
] as const;
export type ClusterState = `CLUSTER_STATE_${(typeof clusterStates)[number]}`;

export const clusterConditionTypes = [
  "PROGRESSING",
  "READY",
  "FAILED",
  "DEGRADED",
  "CLUSTER_AVAILABLE",
  "NODES_READY",
  "INFRASTRUCTURE_READY",
  "TEMPLATE_APPLIED",
  "CERTIFICATE_VALID",
] as const;
export type ClusterConditionType =
  `CLUSTER_CONDITION_TYPE_${(typeof clusterConditionTypes)[number]}`;

export interface ClusterStatus {
  state: ClusterState;
  conditions: Condition<ClusterConditionType>[];
  state_transition_time: string;
  api_url?: string;
  console_url?: string;
  api_endpoint?: string;
  ingress_endpoint?: string;
  network?: { prefix: string; gateway: string; dns_servers: string[]; vlan?: number };
  /** The address of each use outside and inside the cluster's network. */
  addresses?: Record<"api" | "ingress", { external: string; internal: string }>;
  dns_names?: string[];
  storage?: { state: Progress["state"] };
  /** The observed node sets; `version` is the one that all nodes of the set run. */
  node_sets: Record<string, NodeSet & { ready: number; version?: string }>;
  /** The newest version that the control plane has completed. */
  version?: string;
  upgrade?: UpgradeStatus;
  failure?: Failure;
  /** The objects that a deletion has yet to remove. */
  remaining?: string[];
}

/** The progress of an upgrade; absent once every part has the new version. */
export interface UpgradeStatus {
  from?: string;
  to: string;
  /** The present phase; `UNFINISHED` when the upgrade stopped and a retry would continue it. */
  state: "CHECKS" | "CONTROL_PLANE" | "NODE_SETS" | "UNFINISHED";
  /** Node sets that do not have the new version yet. */
  node_sets_behind: string[];
}

export interface ObservedControlPlane extends Observation {
  available: boolean;
  degraded: boolean;
  /** Whether some version is fully rolled out. */
  version_completed: boolean;
  version?: string;
  /** The version that is being rolled out. */
  rolling_to?: string;
  /** Why the cluster should not go to another minor version now. */
  not_upgradeable?: string;
  endpoint?: { host: string; port: number };
  /** Name of the Secret with the kubeconfig, once the operator has announced it. */
  kubeconfig_secret?: string;
  password_secret?: string;
  /** What the operator waits for or complains of. */
  message: string;
  /** Input that the operator refuses, such as InvalidImage: the order fails on it. */
  refusal?: string;
  /** When the refusal was first seen. */
  refused_since?: string;
}

export interface ObservedNodePool extends Observation {
  desired: number;
  replicas: number;
  ready: boolean;
  /** The version that all of the nodes run. */
  version?: string;
  version_completed: boolean;
  message: string;
}

/** What a check into the hosted cluster saw. */
export interface Looked extends Progress {
  /** Of the configuration: the parts that are done. */
  parts?: string[];
  /** The hub had reported before the look that the release is rolled out. */
  rolled_out?: true;
}

export interface Observed {
  control_plane?: ObservedControlPlane;
  node_pools: Record<string, ObservedNodePool>;
  operators?: ObservedOperators;
  /** The progress of the configuration in the cluster. */
  configuration?: Looked;
  /** The progress of the last checks before the cluster is READY. */
  validation?: Looked;
  /** The progress of the renewal of the certificate of its ingress. */
  certificate?: Looked;
  /** The template's test workload, once an operation has started it. */
  test?: { operation: string; began: string; passed: boolean };
}

/** What is known of the certificate of a cluster's ingress that Slipway installed. */
export interface IngressCertificate {
  /** Absent until it is known. */
  ends?: string;
  /** When it is renewed; written at the end of the operation that installed it, or tried to. */
  renew_at?: string;
  /** It ends soon, or has ended: since when that is known, when a renewal failed last, and why. */
  unrenewed?: { since: string; at: string; message: string };
}

export interface Cluster extends StoredObject<"cluster", ClusterSpec, ClusterStatus>, Placed {
  id: ClusterId;
  /** The cluster's name on hubs (HostedCluster, infraID); claimed, never reused. */
  infra_id: string;
  /** The revision of the template that the order was accepted with, and keeps. */
  template_revision: number;
  /** A failed create keeps its claims for people to look at, until it is retried or deleted. */
  on_failure?: "hold";
  /** The release of the control plane that Slipway has set on the hub. */
  release: Release;
  /** The releases of the node sets that are behind the control plane's. */
  node_set_releases?: Record<string, Release>;
  /** During an upgrade: its goal, and where it can go back to while that is possible. */
  upgrade?: { from: { version: Reference; release: Release }; to: Release };
  /** The cluster's record at its hub's site; absent where the hub has none. */
  site?: SiteRecord;
  /** The external IPs that came with it, from its order until nothing of it is at its site. */
  automatic_ips?: AutomaticIps;
  /** What `spec.network_attachment` means at its site. */
  stands_in?: Standing;
  /** While its security groups change. */
  regrouping?: Regrouped;
  /** The certificate of its ingress; absent where its site signed none. */
  ingress_certificate?: IngressCertificate;
  observed: Observed;
  /** The node sets after the last successful operation; a failed change goes back to them. */
  applied?: NodeSets;
  /**
   * The node sets that the running operation works towards: the spec when it started, which may have
   * changed since.
   */
  applying?: NodeSets;
  /** The amounts that the cluster counts for in the quotas of its tenant and its projects, by dimension. */
  charge?: Record<string, number>;
  /** Whether the template asks for volume storage. */
  has_storage?: true;
  /** When the cluster was READY for the first time. */
  ready_at?: string;
  /** Whether the saga has reached its end; from then on tenants see the endpoints. */
  published: boolean;
  console_url?: string;
  /** The operation that starts when the running one has ended. */
  queued?: OperationId;
  /** The hosts that leave once they are replaced, and wait for an operation to start. */
  departing?: Reference[];
  /** The hosts that the running operation replaces. */
  replacing?: Reference[];
  /** Set when an operation failed; cleared by the next that succeeds. */
  failure?: Failure;
}

/** The ids of the attachments that came with a cluster. */
export const automaticAttachments = ({ automatic_ips: ips }: Cluster): string[] =>
  ips ? floatingIpUses.map((use) => ips[use].attachment) : [];

/** The node sets that the running operation works towards, else those of the spec. */
export const wantedNodeSets = ({ applying, spec }: Pick<Cluster, "applying" | "spec">): NodeSets =>
  applying ?? spec.node_sets;

/**
 * Every node set that the cluster has, gets or loses. Every accepted change keeps the host type of a
 * name, so a name has one host type in all of them.
 */
export const knownNodeSets = ({
  applied,
  applying,
  spec,
}: Pick<Cluster, "applied" | "applying" | "spec">): NodeSets => ({
  ...applied,
  ...applying,
  ...spec.node_sets,
});

export const nodePoolName = (cluster: Pick<Cluster, "infra_id">, nodeSet: string): string =>
  `${cluster.infra_id}-${nodeSet}`;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    cluster: Cluster;
  }
}
