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
 * An OpenShift cluster with a hosted control plane. The API writes `spec` (intent), placement writes `placement`,
 * observers write `observed`; `status.ts` computes `status` from all of them. The API parses requests into this form.
 */

export interface NodeSet {
  host_type: Reference;
  size: number;
}

/** Node sets by name. */
export type NodeSets = Record<string, NodeSet>;

export interface ClusterSpec {
  template: Reference;
  /** The offer by which it was ordered. */
  catalog_item?: Reference;
  template_parameters: Record<string, Json>;
  node_sets: NodeSets;
  version: Reference;
  network: { pod_cidr?: string; service_cidr?: string };
  ssh_public_key?: string;
  /** Reference into the secret store; absent means the provider's own. */
  pull_secret?: string;
  /** The object of kind `secret` with the pull secret; replaces `pull_secret`. */
  pull_secret_secret?: Reference;
  /** The tenant's subnet for its hosts; without one the cluster has a network of its own. */
  network_attachment?: NetworkAttachment;
  /** Its outside addresses are external IPs of its tenant, created and deleted with the cluster. */
  auto_external_ip_attachment?: true;
  /** Constraints on the placement: a region, labels that the hub must have. */
  placement?: { region?: string; labels?: Record<string, string> };
}

/** One external IP for each use. The cluster has to be at the site of their pool. */
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
  /** The address for each use, outside of the cluster's network and inside. */
  addresses?: Record<"api" | "ingress", { external: string; internal: string }>;
  dns_names?: string[];
  storage?: { state: Progress["state"] };
  /** The observed node sets; `version` is the one that all nodes of the set run. */
  node_sets: Record<string, NodeSet & { ready: number; version?: string }>;
  /** The newest version that the control plane has completely rolled out. */
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
  /** The present phase; `UNFINISHED` when the upgrade stopped and a retry can continue it. */
  state: "CHECKS" | "CONTROL_PLANE" | "NODE_SETS" | "UNFINISHED";
  /** Node sets without the new version. */
  node_sets_behind: string[];
}

export interface ObservedControlPlane extends Observation {
  available: boolean;
  degraded: boolean;
  /** Whether any version is fully rolled out. */
  version_completed: boolean;
  version?: string;
  /** The version that is being rolled out. */
  rolling_to?: string;
  /** Why the operator advises against an upgrade to another minor version now. */
  not_upgradeable?: string;
  endpoint?: { host: string; port: number };
  /** Name of the Secret with the kubeconfig, once the operator has announced it. */
  kubeconfig_secret?: string;
  password_secret?: string;
  /** The reason of the operator's wait, or its error message. */
  message: string;
  /** Refused input, such as InvalidImage: the order fails because of it. */
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

/** The result of a check inside the hosted cluster. */
export interface Looked extends Progress {
  /** The parts of the configuration that are complete. */
  parts?: string[];
  /** The hub had already reported the release as rolled out. */
  rolled_out?: true;
}

export interface Observed {
  control_plane?: ObservedControlPlane;
  node_pools: Record<string, ObservedNodePool>;
  operators?: ObservedOperators;
  /** The progress of the configuration inside the cluster. */
  configuration?: Looked;
  /** The progress of the last checks before the cluster is READY. */
  validation?: Looked;
  /** The progress of the renewal of its ingress certificate. */
  certificate?: Looked;
  /** The template's test workload, once an operation has started it. */
  test?: { operation: string; began: string; passed: boolean };
}

/** The known facts about the ingress certificate that Slipway installed. */
export interface IngressCertificate {
  /** When it ends; absent while unknown. */
  ends?: string;
  /** When the next renewal is due; written at the end of each operation that installs it. */
  renew_at?: string;
  /** The overdue renewal: its start, and the time and reason of the last failure. */
  unrenewed?: { since: string; at: string; message: string };
}

export interface Cluster extends StoredObject<"cluster", ClusterSpec, ClusterStatus>, Placed {
  id: ClusterId;
  /** The cluster's name on hubs (HostedCluster, infraID): claimed, and never reused. */
  infra_id: string;
  /** The revision of the template when the order was accepted; it never changes. */
  template_revision: number;
  /** Its claims are kept for inspection after a failed create, until a retry or a deletion. */
  on_failure?: "hold";
  /** The release of the control plane that Slipway has set on the hub. */
  release: Release;
  /** The releases of node sets that are older than the control plane's. */
  node_set_releases?: Record<string, Release>;
  /** During an upgrade: the new release, and the previous one while the upgrade can still return to it. */
  upgrade?: { from: { version: Reference; release: Release }; to: Release };
  /** The cluster's record at its hub's site; absent for a hub without a site. */
  site?: SiteRecord;
  /** The external IPs that its order created, until the cluster has no parts at its site. */
  automatic_ips?: AutomaticIps;
  /** The network at its site for `spec.network_attachment`. */
  stands_in?: Standing;
  /** During a change of its security groups: the previous ones. */
  regrouping?: Regrouped;
  /** The certificate of its ingress; absent if the site signed none. */
  ingress_certificate?: IngressCertificate;
  observed: Observed;
  /** The node sets after the last successful operation, to which a failed change returns. */
  applied?: NodeSets;
  /**
   * The node sets that the running operation sets up: those of the spec at its start, which may have changed
   * since.
   */
  applying?: NodeSets;
  /** The amounts that quotas of its tenant and projects count, by dimension. */
  charge?: Record<string, number>;
  /** Whether the template asks for volume storage. */
  has_storage?: true;
  /** When the cluster was READY for the first time. */
  ready_at?: string;
  /** Whether the create saga has ended; until then tenants do not see the endpoints. */
  published: boolean;
  console_url?: string;
  /** The operation that starts when the running one ends. */
  queued?: OperationId;
  /** The hosts to be replaced by the next operation. */
  departing?: Reference[];
  /** The hosts that the running operation replaces. */
  replacing?: Reference[];
  /** The failure of the last operation; cleared by the next success. */
  failure?: Failure;
}

/** The ids of the attachments that an order created with its cluster. */
export const automaticAttachments = ({ automatic_ips: ips }: Cluster): string[] =>
  ips ? floatingIpUses.map((use) => ips[use].attachment) : [];

/** The node sets that the running operation sets up; without an operation, those of the spec. */
export const wantedNodeSets = ({ applying, spec }: Pick<Cluster, "applying" | "spec">): NodeSets =>
  applying ?? spec.node_sets;

/**
 * All node sets that the cluster has, gets or loses. A name has the same host type in all of them, because
 * every accepted change keeps it.
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
