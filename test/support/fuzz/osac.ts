import * as z from "zod";
import type { Operation } from "./document.ts";

/**
 * OSAC's messages, as its clients know them, written down apart from the code that makes them. A
 * client of OSAC may refuse an answer with any other member. Members may be absent, as in protobuf.
 */

const message = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).partial();
const text = z.string();
const flag = z.boolean();
const count = z.int();
const time = z.iso.datetime();
const state = (prefix: string, ...names: string[]) => z.enum(names.map((name) => prefix + name));
const mapOf = <Value extends z.ZodType>(value: Value) => z.record(text, value);

const metadata = message({
  creation_timestamp: time,
  deletion_timestamp: time,
  creator: text,
  name: text,
  tenant: text,
  project: text,
  labels: mapOf(text),
  annotations: mapOf(text),
  version: count,
  display_name: text,
  description: text,
});
const reference = message({ id: text, name: text, project: text, shared: flag });
const local = message({ id: text, name: text });
const any = z.strictObject({
  "@type": z.templateLiteral([
    "type.googleapis.com/google.protobuf.",
    z.enum([
      "BoolValue",
      "Int64Value",
      "DoubleValue",
      "StringValue",
      "Timestamp",
      "Duration",
      "Value",
    ]),
  ]),
  value: z.json(),
});
const nodeSets = mapOf(message({ host_type: reference, size: count }));
const network = message({ pod_cidr: text, service_cidr: text });
const condition = message({
  type: state("CLUSTER_CONDITION_TYPE_", "PROGRESSING", "READY", "FAILED", "DEGRADED"),
  status: state("CONDITION_STATUS_", "UNSPECIFIED", "TRUE", "FALSE"),
  last_transition_time: time,
  reason: text,
  message: text,
});
const instanceCondition = message({
  ...condition.shape,
  type: state(
    "BARE_METAL_INSTANCE_CONDITION_TYPE_",
    ...["PROVISIONED", "CONFIGURATION_APPLIED", "READY"],
    ...["RESTART_IN_PROGRESS", "RESTART_FAILED", "RESTART_REQUIRED"],
  ),
});
const titled = { title: text, description: text };
const nothing = z.strictObject({});

/** An object with its `spec` and its `status`. */
const object = (spec: z.ZodRawShape, status: z.ZodRawShape = {}) =>
  message({ id: text, metadata, spec: message(spec), status: message(status) });
/** One without. */
const flat = (shape: z.ZodRawShape) => message({ id: text, metadata, ...shape });

const clusterState = state(
  "CLUSTER_STATE_",
  ...["UNSPECIFIED", "PROGRESSING", "READY", "FAILED", "DELETING", "DELETE_FAILED"],
);
const version = {
  version: text,
  enabled: flag,
  is_default: flag,
  state: state("CLUSTER_VERSION_STATE_", "ACTIVE", "DEPRECATED", "OBSOLETE"),
  deprecation: message({ deprecation_timestamp: time, obsolescence_timestamp: time }),
};
const clusterSpec = {
  template: reference,
  catalog_item: reference,
  template_parameters: mapOf(any),
  node_sets: nodeSets,
  pull_secret: z.literal("***"),
  pull_secret_secret: local,
  ssh_public_key: text,
  version: reference,
  network,
};
const clusterStatus = {
  state: clusterState,
  conditions: z.array(condition),
  api_url: text,
  console_url: text,
  api_endpoint: text,
  ingress_endpoint: text,
  node_sets: nodeSets,
  state_transition_time: time,
};

const parameters = z.array(
  message({ name: text, ...titled, required: flag, type: any.shape["@type"], default: any }),
);
const catalogItem = {
  ...titled,
  template: reference,
  published: flag,
  field_definitions: z.array(
    message({
      path: text,
      display_name: text,
      editable: flag,
      default: z.json(),
      validation_schema: text,
    }),
  ),
};
const instanceType = {
  description: text,
  hardware: message({
    cpu: message({ cores: count, architecture: text, model: text, threads_per_core: count }),
    // 64-bit integers are text in JSON.
    memory: message({ total_gb: text, type: text }),
    disks: z.array(message({ type: text, capacity_gb: text, interface: text })),
    accelerators: z.array(message({ type: text, model: text, vendor: text, memory_gb: count })),
    network_ports: z.array(message({ name: text, role: text, type: text, speed: text })),
    capabilities: mapOf(text),
  }),
};

const poolStatus = {
  state: state(
    "EXTERNAL_IP_POOL_STATE_",
    "PENDING",
    "READY",
    "FAILED",
    "DELETING",
    "DELETE_FAILED",
  ),
  // 64-bit integers are text in JSON.
  available: text,
};
const ipFamily = state("IP_FAMILY_", "IPV4", "IPV6");

const kinds: Record<string, z.ZodType> = {
  cluster: object(clusterSpec, clusterStatus),
  cluster_template: flat({
    ...titled,
    parameters,
    node_sets: nodeSets,
    spec_defaults: message({
      ssh_public_key: text,
      network,
      version: reference,
      pull_secret_secret: local,
    }),
  }),
  cluster_catalog_item: flat(catalogItem),
  baremetal_instance: object(
    {
      catalog_item: reference,
      template_parameters: mapOf(any),
      image: message({ source_type: text, source_ref: text }),
      ssh_public_key: text,
      user_data: z.literal("***"),
      run_strategy: state("BARE_METAL_INSTANCE_RUN_STRATEGY_", "ALWAYS", "HALTED"),
      restart_trigger: text,
      network_attachments: z.array(
        message({
          subnet: local,
          security_groups: z.array(local),
          interface: text,
          primary: flag,
        }),
      ),
    },
    {
      state: state(
        "BARE_METAL_INSTANCE_STATE_",
        ...["PROVISIONING", "RUNNING", "FAILED", "DELETING", "STARTING", "STOPPING", "STOPPED"],
      ),
      conditions: z.array(instanceCondition),
      restart_trigger: text,
      network_attachment_statuses: z.array(
        message({ interface: text, subnet_ref: text, ip_address: text, primary: flag }),
      ),
      hardware: message({ nics: z.array(message({ mac: text })) }),
    },
  ),
  bare_metal_instance_type: object(instanceType),
  baremetal_instance_template: flat({
    ...titled,
    parameters,
    host_type: text,
    spec_defaults: message({ image: message({ source_type: text, source_ref: text }) }),
  }),
  baremetal_instance_catalog_item: flat(catalogItem),
  cluster_version: object(version),
  host_type: flat({
    ...titled,
    interfaces: z.array(message({ name: text, role: text, description: text })),
  }),
  tenant: object(
    { domains: z.array(text) },
    { state: state("TENANT_STATE_", "PENDING", "SYNCED", "FAILED") },
  ),
  project: object(titled, {
    state: state("PROJECT_STATE_", "PENDING", "ACTIVE", "FAILED", "DELETING", "DELETE_FAILED"),
  }),
  project_membership: object(
    { role: state("PROJECT_MEMBERSHIP_ROLE_", "VIEWER", "MANAGER"), users: z.array(reference) },
    { state: state("PROJECT_MEMBERSHIP_STATE_", "PENDING", "READY", "FAILED") },
  ),
  user: object({ username: text, email: text, enabled: flag }),
  role: object(titled),
  role_binding: object(
    { role: reference, users: z.array(reference) },
    { state: state("ROLE_BINDING_STATE_", "PENDING", "READY", "FAILED") },
  ),
  identity_provider: object(
    {
      ...titled,
      enabled: flag,
      oidc: message({
        authorization_url: text,
        token_url: text,
        client_id: text,
        client_secret: z.literal("***"),
        issuer: text,
        default_scopes: z.array(text),
        user_info_url: text,
        jwks_url: text,
        validate_signature: flag,
        logout_url: text,
      }),
    },
    { phase: state("IDENTITY_PROVIDER_PHASE_", "READY", "ERROR", "UNKNOWN") },
  ),
  secret: flat({}),
  external_ip_pool: object({ ip_family: ipFamily }, poolStatus),
  nat_gateway: object(
    { virtual_network: local, external_ip: local },
    {
      state: state("NAT_GATEWAY_STATE_", "PENDING", "READY", "FAILED", "DELETING", "DELETE_FAILED"),
      message: text,
    },
  ),
};

/** With what OSAC has on its private paths only. */
const privateKinds: Record<string, z.ZodType> = {
  ...kinds,
  cluster: object(clusterSpec, { ...clusterStatus, hub: text }),
  cluster_version: object({ ...version, image: text }),
  bare_metal_instance_type: object({
    ...instanceType,
    host_label_selector: message({ match_labels: mapOf(text) }),
  }),
  hub: object({ namespace: text }),
  external_ip_pool: object(
    { ip_family: ipFamily, cidrs: z.array(text), implementation_strategy: text },
    { ...poolStatus, total: text, allocated: text },
  ),
};

/** What an event may carry for tenants, who have no other on private paths. */
const payloads = [
  "cluster",
  "cluster_template",
  "cluster_version",
  "host_type",
  "project",
  "tenant",
  "role",
  "role_binding",
  "secret",
];
const event = z.strictObject({
  result: z.strictObject({
    event: message({
      id: text,
      type: state("EVENT_TYPE_OBJECT_", "CREATED", "UPDATED", "DELETED"),
      ...Object.fromEntries(payloads.flatMap((name) => (kinds[name] ? [[name, kinds[name]]] : []))),
    }),
  }),
});

/** What is answered with the object. */
const ofObjects = new Set([
  ...["get", "create", "update", "retry"],
  ...["reinstall", "release", "force"],
]);

/** The form of an operation's good answer in the OSAC profile; undefined where OSAC has no such one. */
export function osacAnswerOf({ id }: Pick<Operation, "id">): z.ZodType | undefined {
  const [area, subject = "", verb] = id.split(".");
  if (verb === "watch") return event;
  const kind = (area === "private" ? privateKinds : kinds)[subject];
  if (!kind) return undefined;
  if (verb === "list") return z.strictObject({ size: count, total: count, items: z.array(kind) });
  if (verb === "delete") return nothing;
  return ofObjects.has(verb ?? "") ? kind : undefined;
}
