import type { ClusterId, OperationId } from "../../id.ts";
import type { Condition } from "../../kernel/object/condition.ts";
import type { Failure } from "../../kernel/object/failure.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { Placed } from "../../kernel/object/traits.ts";
import type { Json } from "../../kernel/store/store.ts";
import type { ObservedOperators, Release } from "../../ports/hub/clusters/port.ts";
import type { Progress, SiteRecord } from "../site/at-site.ts";

/**
 * An OpenShift cluster with a hosted control plane. The API writes `spec` (intent), the
 * reservation writes `placement`, observers write `observed`; `status` is computed from all of
 * them by `core/status`. What comes in on the wire is parsed by the API into this.
 */

export interface NodeSet {
  host_type: Reference;
  size: number;
}

/** By name. */
export type NodeSets = Record<string, NodeSet>;

export interface ClusterSpec {
  template: Reference;
  /** The offer that it was ordered by. */
  catalog_item?: Reference;
  template_parameters: Record<string, Json>;
  node_sets: NodeSets;
  version: Reference;
  network: { pod_cidr?: string; service_cidr?: string };
  ssh_public_key?: string;
  /** Reference into the secret store; absent means the provider's own. */
  pull_secret?: string;
  /** The object of kind `secret` that has it instead. */
  pull_secret_secret?: Reference;
  /** Where it may be placed: a region, labels that the hub must have. */
  placement?: { region?: string; labels?: Record<string, string> };
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
  /** Where each use is reached, from outside and inside its network. */
  addresses?: Record<"api" | "ingress", { external: string; internal: string }>;
  dns_names?: string[];
  storage?: { state: Progress["state"] };
  /** As observed; `version` is the one that all of its nodes run. */
  node_sets: Record<string, NodeSet & { ready: number; version?: string }>;
  /** The newest that its control plane has arrived at. */
  version?: string;
  upgrade?: UpgradeStatus;
  failure?: Failure;
  /** While deleting: what is still there. */
  remaining?: string[];
}

/** How far it has come since it was to go to another version; gone when everything is there. */
export interface UpgradeStatus {
  from?: string;
  to: string;
  /** What it is at now: `UNFINISHED` when it stopped, and a retry would go on. */
  state: "CHECKS" | "CONTROL_PLANE" | "NODE_SETS" | "UNFINISHED";
  /** Node sets that are not there yet. */
  node_sets_behind: string[];
}

/** Which version of the outside object an observation is of; later news has a higher one. */
export interface Source {
  uid: string;
  resource_version: string;
  /** When it was observed. */
  at: string;
}

export interface ObservedControlPlane extends Source {
  gone: boolean;
  available: boolean;
  degraded: boolean;
  /** Some version is fully rolled out. */
  version_completed: boolean;
  version?: string;
  /** The version that it is on its way to. */
  rolling_to?: string;
  /** Why it should not go to another minor version now. */
  not_upgradeable?: string;
  endpoint?: { host: string; port: number };
  /** Name of the Secret beside it, once the operator has announced it. */
  kubeconfig_secret?: string;
  password_secret?: string;
  /** What it is waiting for, or complains of. */
  message: string;
  /** User input the operator refuses, such as InvalidImage: the order fails on it. */
  refusal?: string;
  /** Since when the refusal stands. */
  refused_since?: string;
}

export interface ObservedNodePool extends Source {
  gone: boolean;
  desired: number;
  replicas: number;
  ready: boolean;
  /** That all of its nodes run. */
  version?: string;
  version_completed: boolean;
  message: string;
}

export interface Observed {
  control_plane?: ObservedControlPlane;
  node_pools: Record<string, ObservedNodePool>;
  operators?: ObservedOperators;
  /** Post-install work in the cluster. */
  configuration?: Progress;
  /** The last checks before it is READY. */
  validation?: Progress;
  /** The template's test workload, once it was started. */
  test?: { began: string; passed: boolean };
}

export interface Cluster extends StoredObject<"cluster", ClusterSpec, ClusterStatus>, Placed {
  id: ClusterId;
  /** Its name on hubs (HostedCluster, infraID); claimed, never reused. */
  infra_id: string;
  /** Of the template: the content that the order was accepted with, and keeps. */
  template_revision: number;
  /** A create that failed keeps what it has for a look, until it is retried or deleted. */
  on_failure?: "hold";
  /** What the hub was told that the control plane is to run. */
  release: Release;
  /** Node sets for which the hub was told another one: those that are behind. */
  node_set_releases?: Record<string, Release>;
  /** While an upgrade runs: where it goes, and what it goes back to as long as that can be. */
  upgrade?: { from: { version: Reference; release: Release }; to: Release };
  /** What it has at its hub's site; absent where the hub has none. */
  site?: SiteRecord;
  observed: Observed;
  /** Node sets that the last successful operation left behind; what a failed change goes back to. */
  applied?: NodeSets;
  /** Node sets that the running operation brings about: the spec when it started, which may have changed since. */
  applying?: NodeSets;
  /** What it counts for in the quotas of its tenant and its projects, by dimension. */
  charge?: Record<string, number>;
  /** Its template asks for volume storage. */
  has_storage?: true;
  /** The first time it was READY. */
  ready_at?: string;
  /** The saga reached its end; from then on the endpoints are the tenant's. */
  published: boolean;
  console_url?: string;
  /** The operation that starts when that one has ended. */
  queued?: OperationId;
  /** Set when an operation failed; cleared by the next that succeeds. */
  failure?: Failure;
}

/** What the running operation brings about; the spec where none says otherwise. */
export const wantedNodeSets = ({ applying, spec }: Pick<Cluster, "applying" | "spec">): NodeSets =>
  applying ?? spec.node_sets;

/**
 * Every node set that the cluster has, gets or loses. A name stands for one host type in all of
 * them: whoever accepts a change sees to that.
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
