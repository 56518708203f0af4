import type { Kind } from "../../../core/kernel/object/object.ts";
import { isKind } from "../registry.ts";
import type { Route } from "../route.ts";

/** Answers as examples: objects as the laptop's world has them, in few words. */

type Example = Record<string, unknown>;

const id = "01a203c7-eebb-71de-8756-f310686dbe4b";
const made = "2026-11-22T15:02:44.153Z";
const named = (name: string) => ({ id: name, name });

const metadata = (name: string, tenant = "shared") => ({
  ...{ name, tenant, labels: {}, annotations: {} },
  ...{
    creator: tenant === "shared" ? "setup" : `${tenant}-user`,
    creation_timestamp: made,
    version: 0,
  },
});
const ofTenant = (name: string, rest: Example): Example => ({
  ...{ id, metadata: metadata(name, "tenant-a") },
  ...rest,
});
const shared = (name: string, rest: Example): Example => ({
  ...{ id: name, metadata: metadata(name) },
  ...rest,
});

const objects: Record<Kind, Example> = {
  cluster: ofTenant("demo", {
    spec: {
      template: { id: "ocp_4_17_small", name: "ocp-4-17-small" },
      template_parameters: { monitoring: false },
      node_sets: { workers: { host_type: named("fc430"), size: 2 } },
      version: named("4-17-3"),
      network: {},
    },
    status: {
      state: "CLUSTER_STATE_READY",
      conditions: [
        {
          type: "CLUSTER_CONDITION_TYPE_READY",
          status: "CONDITION_STATUS_TRUE",
          last_transition_time: "2026-11-22T15:30:41.340Z",
          reason: "Ready",
        },
      ],
      state_transition_time: "2026-11-22T15:30:41.340Z",
      api_url: "https://api.demo.tenant-a.eu-west.example.com:6443",
      console_url: "https://console-openshift-console.apps.demo.tenant-a.eu-west.example.com",
      api_endpoint: "api.demo.tenant-a.eu-west.example.com",
      ingress_endpoint: "203.0.113.101",
      network: { prefix: "10.64.0.0/24", gateway: "10.64.0.1", dns_servers: ["192.0.2.53"] },
      addresses: {
        api: { external: "203.0.113.100", internal: "10.64.0.2" },
        ingress: { external: "203.0.113.101", internal: "10.64.0.3" },
      },
      storage: { state: "done" },
      node_sets: { workers: { host_type: named("fc430"), size: 2, ready: 2, version: "4.17.3" } },
      version: "4.17.3",
      release: "4.17.3",
      template_revision: 1,
    },
  }),
  operation: ofTenant("01a203c7-ef52-7500-ac83-8de3a9f078d9", {
    id: "01a203c7-ef52-7500-ac83-8de3a9f078d9",
    spec: { change: "CREATE", target: { kind: "cluster", id, name: "demo" } },
    status: {
      state: "OPERATION_STATE_RUNNING",
      start_time: "2026-11-22T15:02:59.131Z",
      queued: false,
      steps: [
        {
          ...{ name: "ReserveCapacity", state: "SUCCEEDED", attempts: 1, system: "placement" },
          start_time: "2026-11-22T15:02:59.148Z",
          end_time: "2026-11-22T15:03:03.730Z",
        },
        {
          ...{ name: "CreateLayer2Network", state: "RUNNING", attempts: 1, system: "fabric" },
          start_time: "2026-11-22T15:03:03.730Z",
        },
      ],
      percent: 50,
      cancel_requested: false,
      resume_requested: false,
      waiting: [],
    },
  }),
  cluster_template: shared("ocp-4-17-small", {
    id: "ocp_4_17_small",
    title: "Small OpenShift cluster",
    parameters: [{ name: "monitoring", title: "Keep metrics", type: "boolean", default: false }],
    node_sets: { workers: { host_type: named("fc430"), size: 2 } },
    spec_defaults: { version: named("4-17-3") },
    revision: 1,
  }),
  cluster_catalog_item: ofTenant("small-cluster", {
    title: "A small cluster",
    template: { id: "ocp_4_17_small", name: "ocp-4-17-small" },
    published: true,
    field_definitions: [{ path: "node_sets.workers.size", editable: true, default: 2 }],
  }),
  cluster_version: shared("4-17-3", {
    spec: {
      ...{ version: "4.17.3", enabled: true, is_default: true },
      state: "CLUSTER_VERSION_STATE_ACTIVE",
    },
    status: {},
  }),
  host_type: shared("fc430", {
    title: "Standard server",
    description: "2 × 16 cores, 128 GiB",
    status: { availability: [{ region: "eu-west", total: 6, free: 4 }] },
  }),
  host: shared("fc430-b-02", {
    id: "0d0082d1-9f5a-5106-b720-0460f750b562",
    spec: {
      host_type: "fc430",
      hub: "hub-b",
      bmc: { address: "redfish-virtualmedia://192.168.2.12/redfish/v1/Systems/1" },
      nics: [{ name: "eno1", mac: "52:54:00:01:02:01", switch: "leaf-b1", port: "Ethernet1/2" }],
    },
    status: { state: "HOST_STATE_AVAILABLE" },
  }),
  hub: shared("hub-a", {
    spec: {
      ...{ region: "eu-west", capacity: 20, base_domain: "eu-west.example.com", site: "site-1" },
      server: "https://hub-a.example.com:6443",
    },
    status: { state: "HUB_STATE_READY" },
  }),
  site: shared("site-1", {
    spec: {
      dns: {
        ...{ provider: "powerdns", url: "https://dns.example.com", zone: "example.com" },
        servers: ["192.0.2.53"],
      },
    },
    status: { low: [] },
  }),
  tenant: ofTenant("tenant-a", {
    id: "tenant-a",
    spec: { domains: ["a.example.com"] },
    status: { state: "TENANT_STATE_SYNCED" },
  }),
  project: ofTenant("shop", {
    spec: { title: "The shop" },
    status: { state: "PROJECT_STATE_ACTIVE" },
  }),
  project_membership: ofTenant("web-team", {
    spec: { role: "PROJECT_MEMBERSHIP_ROLE_MANAGER", users: [{ id, name: "ann" }] },
    status: { state: "PROJECT_MEMBERSHIP_STATE_READY" },
  }),
  quota: ofTenant("of-the-tenant", {
    spec: { limits: { control_planes: 10, hosts: { fc430: 20 } } },
    status: {
      usage: { control_planes: 1, hosts: { fc430: 2 }, floating_ips: 2, storage_clusters: 1 },
    },
  }),
  webhook: ofTenant("portal", {
    spec: {
      url: "https://portal.example.com/slipway",
      ...{ event_types: ["slipway.cluster.*"], enabled: true, secret: "***" },
    },
    status: { state: "WEBHOOK_STATE_ACTIVE" },
  }),
  user: ofTenant("ann", {
    spec: { username: "ann", email: "ann@example.com", enabled: true },
    status: {},
  }),
  role: shared("project-manager", { spec: { grants: "project-manager" }, status: {} }),
  role_binding: ofTenant("web-team", {
    spec: { role: named("project-manager"), users: [], groups: ["web-team"] },
    status: { state: "ROLE_BINDING_STATE_READY" },
  }),
  identity_provider: ofTenant("company", {
    spec: {
      title: "The company's login",
      oidc: { issuer: "https://login.example.com", client_id: "slipway", client_secret: "***" },
    },
    status: { phase: "IDENTITY_PROVIDER_PHASE_UNKNOWN" },
  }),
  secret: ofTenant("registry", { data: { token: "***" } }),
};

const ofOne = new Set(["get", "create", "update", "cancel", "resume", "retry", "rotate"]);

/** The name of the example that a route's answer has, and the example; undefined for none. */
export function answerExample({ subject, verb }: Route): [string, Example] | undefined {
  if (!isKind(subject)) return undefined;
  if (ofOne.has(verb)) return [subject, objects[subject]];
  if (verb !== "list") return undefined;
  return [`${subject}_list`, { size: 1, total: 1, items: [objects[subject]] }];
}

/** Of all routes, each once, for their answers to refer to. */
export const exampleComponents = (routes: Route[]): Record<string, { value: Example }> =>
  Object.fromEntries(
    routes.flatMap((route) => {
      const found = answerExample(route);
      return found ? [[found[0], { value: found[1] }]] : [];
    }),
  );
