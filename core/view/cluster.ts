import * as z from "zod";
import {
  type Cluster,
  type ClusterConditionType,
  type ClusterState,
  clusterConditionTypes,
  clusterStates,
  type Placement,
} from "../model/cluster.ts";
import { waitSchema } from "./wait.ts";
import {
  conditionSchema,
  conditionView,
  masked,
  metadataSchema,
  metadataView,
  referenceSchema,
  timeSchema,
} from "./wire.ts";

const states = clusterStates.map((state) => `CLUSTER_STATE_${state}` as const) as [
  ClusterState,
  ...ClusterState[],
];
const types = clusterConditionTypes.map((type) => `CLUSTER_CONDITION_TYPE_${type}` as const) as [
  ClusterConditionType,
  ...ClusterConditionType[],
];

const nodeSetSchema = z.object({ host_type: referenceSchema, size: z.int() });
const addressSchema = z.object({ external: z.string(), internal: z.string() });
const rejectedSchema = z.object({ hub: z.string(), reason: z.string() });

export const clusterSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    template: referenceSchema,
    catalog_item: referenceSchema.optional(),
    template_parameters: z.record(z.string(), z.json()),
    node_sets: z.record(z.string(), nodeSetSchema),
    version: referenceSchema,
    network: z.object({ pod_cidr: z.string().optional(), service_cidr: z.string().optional() }),
    ssh_public_key: z.string().optional(),
    pull_secret: z.literal(masked).optional(),
    pull_secret_secret: referenceSchema.optional(),
    placement: z
      .object({
        region: z.string().optional(),
        labels: z.record(z.string(), z.string()).optional(),
      })
      .optional(),
  }),
  status: z.object({
    state: z.enum(states),
    conditions: z.array(conditionSchema(types)),
    state_transition_time: timeSchema,
    api_url: z.string().optional(),
    console_url: z.string().optional(),
    api_endpoint: z.string().optional(),
    ingress_endpoint: z.string().optional(),
    network: z
      .object({
        prefix: z.string(),
        gateway: z.string(),
        dns_servers: z.array(z.string()),
        /** Administrators only. */
        vlan: z.int().optional(),
      })
      .optional(),
    addresses: z.object({ api: addressSchema, ingress: addressSchema }).optional(),
    dns_names: z.array(z.string()).optional(),
    storage: z.object({ state: z.enum(["pending", "done", "failed"]) }).optional(),
    /** What the running operation waits for; only where one cluster is asked for. */
    waiting: z.array(waitSchema).optional(),
    node_sets: z.record(
      z.string(),
      /** `version`: the one that all of its nodes run. */
      nodeSetSchema.extend({ ready: z.int(), version: z.string().optional() }),
    ),
    /** The newest that the control plane has arrived at. */
    version: z.string().optional(),
    /** On its way to another version, or stopped on it. */
    upgrade: z
      .object({
        from: z.string().optional(),
        to: z.string(),
        state: z.enum(["CHECKS", "CONTROL_PLANE", "NODE_SETS", "UNFINISHED"]),
        node_sets_behind: z.array(z.string()),
      })
      .optional(),
    failure: z.object({ step: z.string(), kind: z.string(), message: z.string() }).optional(),
    remaining: z.array(z.string()).optional(),
    release: z.string(),
    /** Of the template: the content that the order keeps. */
    template_revision: z.int(),
    /** The operation that runs, and the one that follows it. */
    operation: z.string().optional(),
    queued_operation: z.string().optional(),
    placement: z
      .object({ at: timeSchema, reason: z.string(), rejected: z.array(rejectedSchema).optional() })
      .optional(),
    /** Administrators only. */
    hub: z.string().optional(),
    infra_id: z.string().optional(),
    hosts: z.record(z.string(), z.array(z.string())).optional(),
  }),
});
type ClusterWire = z.output<typeof clusterSchema>;

export function clusterView(cluster: Cluster): ClusterWire {
  const { pull_secret, ...spec } = cluster.spec;
  const { placement } = cluster;
  const { status } = cluster;
  return {
    id: cluster.id,
    metadata: metadataView(cluster),
    spec: { ...spec, ...(pull_secret === undefined ? {} : { pull_secret: masked }) },
    status: {
      ...status,
      conditions: status.conditions.map(conditionView),
      release: cluster.release.version,
      template_revision: cluster.template_revision,
      ...(cluster.operation === undefined ? {} : { operation: cluster.operation }),
      ...(cluster.queued === undefined ? {} : { queued_operation: cluster.queued }),
      ...(placement === undefined ? {} : { placement: placementView(placement) }),
      infra_id: cluster.infra_id,
      ...(placement ? { hub: placement.hub, hosts: placement.hosts } : {}),
    },
  };
}

const placementView = ({ at, reason, rejected }: Placement) => ({ at, reason, rejected });

const osacConditions = new Set(
  (["PROGRESSING", "READY", "FAILED", "DEGRADED"] as const).map(
    (type) => `CLUSTER_CONDITION_TYPE_${type}`,
  ),
);

/** Only what OSAC's own clusters have; template parameters are wrapped by `any.ts`. */
export function osacCluster({ id, metadata, spec, status }: ClusterWire) {
  const { placement: _, ...osacSpec } = spec;
  const { state, state_transition_time, api_url, console_url, api_endpoint, hub } = status;
  const { ingress_endpoint } = status;
  return {
    id,
    metadata,
    spec: osacSpec,
    status: {
      state,
      state_transition_time,
      conditions: status.conditions.filter((condition) => osacConditions.has(condition.type)),
      node_sets: Object.fromEntries(
        Object.entries(status.node_sets).map(([name, { host_type, size }]) => [
          name,
          { host_type, size },
        ]),
      ),
      ...(api_url === undefined ? {} : { api_url }),
      ...(console_url === undefined ? {} : { console_url }),
      ...(api_endpoint === undefined ? {} : { api_endpoint }),
      ...(ingress_endpoint === undefined ? {} : { ingress_endpoint }),
      ...(hub === undefined ? {} : { hub }),
    },
  };
}
