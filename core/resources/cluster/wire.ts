import * as z from "zod";
import type { Placement } from "../../kernel/object/traits.ts";
import {
  conditionSchema,
  conditionView,
  masked,
  metadataSchema,
  metadataView,
  referenceSchema,
  timeSchema,
} from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import { failureSchema, failureView } from "../../kernel/saga/failure.ts";
import { workSchema } from "../../kernel/saga/wait.ts";
import { wrapped } from "../cluster-template/any.ts";
import {
  type Cluster,
  type ClusterConditionType,
  type ClusterState,
  clusterConditionTypes,
  clusterStates,
} from "./model.ts";

const states = clusterStates.map((state) => `CLUSTER_STATE_${state}` as const) as [
  ClusterState,
  ...ClusterState[],
];
const types = clusterConditionTypes.map((type) => `CLUSTER_CONDITION_TYPE_${type}` as const) as [
  ClusterConditionType,
  ...ClusterConditionType[],
];

const nodeSetSchema = z.object({
  host_type: referenceSchema.describe("The host type of its nodes."),
  size: z.int().describe("The present or desired number of its nodes."),
});
const addressSchema = z.object({
  external: z.string().describe("The outside address, for clients."),
  internal: z.string().describe("The address inside the cluster's network."),
});
const rejectedSchema = z.object({
  hub: z.string().describe("Id of the hub."),
  reason: z.string().describe("Why it was not chosen."),
});

export const clusterSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    template: referenceSchema.describe("What it was ordered from."),
    catalog_item: referenceSchema.optional().describe("The offer that was ordered, if any."),
    template_parameters: z
      .record(z.string(), z.json())
      .describe("Values of the template's parameters, by name."),
    node_sets: z
      .record(z.string(), nodeSetSchema)
      .describe("Groups of nodes of one host type, by name."),
    version: referenceSchema.describe("The OpenShift release that it is to run."),
    network: z
      .object({
        pod_cidr: z
          .string()
          .optional()
          .describe("Prefix for the addresses of pods, such as 10.128.0.0/14."),
        service_cidr: z
          .string()
          .optional()
          .describe("Prefix for the addresses of services, such as 172.30.0.0/16."),
      })
      .describe("Prefixes inside the cluster."),
    network_attachment: z
      .object({
        subnet: referenceSchema.describe("The subnet."),
        security_groups: z
          .array(referenceSchema)
          .describe("Security groups of its hosts; the network's default group by default."),
      })
      .optional()
      .describe("The tenant's network of its hosts; absent if the cluster has its own."),
    auto_external_ip_attachment: z
      .literal(true)
      .optional()
      .describe("Whether its API and ingress have external IPs, created and deleted with it."),
    ssh_public_key: z
      .string()
      .optional()
      .describe("OpenSSH public key for login to the nodes as `core`."),
    pull_secret: z
      .literal(masked)
      .optional()
      .describe("`***` for the order's own pull secret; its value is never answered."),
    pull_secret_secret: referenceSchema
      .optional()
      .describe("The secret object with the pull secret."),
    placement: z
      .object({
        region: z
          .string()
          .optional()
          .describe("Region that its hub must be in, such as `eu-west`."),
        labels: z
          .record(z.string(), z.string())
          .optional()
          .describe("Labels that its hub must have."),
      })
      .optional()
      .describe("Placement constraints: region, labels of hubs."),
  }),
  status: z.object({
    state: z.enum(states).describe("Its state as a whole; `conditions` say why."),
    conditions: z.array(conditionSchema(types)).describe("The conditions, each with its reason."),
    state_transition_time: timeSchema.describe("When `state` last changed."),
    api_url: z.string().optional().describe("URL of its Kubernetes API, once there is one."),
    console_url: z.string().optional().describe("URL of its web console, once there is one."),
    api_endpoint: z.string().optional().describe("Address of its API, with the port."),
    ingress_endpoint: z.string().optional().describe("Address of its ingress."),
    network: z
      .object({
        prefix: z.string().describe("CIDR prefix of the hosts, such as 10.64.3.0/24."),
        gateway: z.string().describe("IPv4 address of the gateway."),
        dns_servers: z
          .array(z.string())
          .describe("IPv4 addresses of the hosts' name servers, by DHCP."),
        vlan: z.int().optional().describe("VLAN id on the fabric, 1 to 4094. For administrators."),
      })
      .optional()
      .describe("The network of its hosts."),
    addresses: z
      .object({
        api: addressSchema.describe("Of its Kubernetes API."),
        ingress: addressSchema.describe("Of its ingress, for applications."),
      })
      .optional()
      .describe("Its allocated addresses."),
    dns_names: z.array(z.string()).optional().describe("Its names in the DNS."),
    storage: z
      .object({
        state: z.enum(["pending", "done", "failed"]).describe("The state of its storage."),
      })
      .optional()
      .describe("Its volume storage, from the template."),
    node_sets: z
      .record(
        z.string(),
        /** The observed node sets; `version` is the release that all nodes of a set run. */
        nodeSetSchema.extend({
          ready: z.int().describe("Number of ready nodes."),
          version: z
            .string()
            .optional()
            .describe("The release of all its nodes; absent while they differ."),
        }),
      )
      .describe("The node sets as they are, by name."),
    version: z
      .string()
      .optional()
      .describe("The newest release that the control plane has completed."),
    upgrade: z
      .object({
        from: z.string().optional().describe("The old release."),
        to: z.string().describe("The new release."),
        state: z
          .enum(["CHECKS", "CONTROL_PLANE", "NODE_SETS", "UNFINISHED"])
          .describe("The progress of the upgrade; `UNFINISHED` waits for a retry."),
        node_sets_behind: z
          .array(z.string())
          .describe("Names of node sets still on the old release."),
      })
      .optional()
      .describe("The upgrade that is running or has stopped."),
    failure: failureSchema
      .optional()
      .describe("Why the last operation failed, or the running one is stuck."),
    remaining: z
      .array(z.string())
      .optional()
      .describe("Parts that could not be released when it was deleted."),
    release: z.string().describe("The version at the time of the order."),
    template_revision: z.int().describe("Revision of the template that the order keeps."),
    ...workSchema,
    queued_operation: z
      .string()
      .optional()
      .describe("Id of the operation that follows the running one."),
    placement: z
      .object({
        at: timeSchema.describe("When it was placed."),
        reason: z.string().describe("Why this hub was chosen, in words."),
        rejected: z
          .array(rejectedSchema)
          .optional()
          .describe("Hubs that were not chosen. For administrators."),
      })
      .optional()
      .describe("Where it was placed, and why."),
    hub: z.string().optional().describe("Id of its hub. For administrators."),
    infra_id: z
      .string()
      .optional()
      .describe("Its name on its hub and on the fabric. For administrators."),
    hosts: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe("Ids of its hosts by node set. For administrators."),
  }),
});
export type ClusterWire = z.output<typeof clusterSchema>;

function clusterView(cluster: Cluster): ClusterWire {
  const { pull_secret, ...spec } = cluster.spec;
  const { placement } = cluster;
  const { failure, ...status } = cluster.status;
  return {
    id: cluster.id,
    metadata: metadataView(cluster),
    spec: { ...spec, ...(pull_secret === undefined ? {} : { pull_secret: masked }) },
    status: {
      ...status,
      conditions: status.conditions.map(conditionView),
      ...(failure && { failure: failureView(failure) }),
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

/** The cluster with only the members that OSAC has; `any.ts` wraps template parameters. */
function osacCluster({ id, metadata, spec, status }: ClusterWire) {
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

export const wire: WireForm<"cluster"> = {
  view: clusterView,
  osac: osacOf((wire: ClusterWire) => {
    const cluster = osacCluster(wire);
    const parameters = Object.entries(cluster.spec.template_parameters);
    const template_parameters = Object.fromEntries(
      parameters.map(([name, value]) => [name, wrapped(value)]),
    );
    return { ...cluster, spec: { ...cluster.spec, template_parameters } };
  }),
  inOsacEvents: true,
};
