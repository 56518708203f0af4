import type { Area, Verb } from "../../core/kernel/request/permissions.ts";
import type { Subject } from "./permissions.ts";

/** Example bodies. They use the names of the world that `npm run dev` starts. */

type Example = Record<string, unknown>;

const creates: Partial<Record<Subject, Example>> = {
  cluster: {
    metadata: { name: "demo" },
    spec: { template: { id: "ocp_4_17_small" }, node_sets: { workers: { size: 2 } } },
  },
  cluster_catalog_item: {
    metadata: { name: "small-cluster" },
    title: "A small cluster",
    template: { id: "ocp_4_17_small" },
    published: true,
    field_definitions: [{ path: "node_sets.workers.size", editable: true, default: 2 }],
  },
  cluster_template: {
    metadata: { name: "two-workers" },
    title: "Two workers",
    parameters: [{ name: "owner", type: "string", required: true }],
    node_sets: { workers: { host_type: "fc430", size: 2 } },
  },
  cluster_version: {
    metadata: { name: "4-19-0" },
    spec: {
      version: "4.19.0",
      image: "quay.io/openshift-release-dev/ocp-release:4.19.0-multi",
      state: "CLUSTER_VERSION_STATE_ACTIVE",
    },
  },
  host: {
    metadata: { name: "rack-1-01" },
    spec: {
      host_type: "fc430",
      hub: "hub-a",
      bmc: { address: "redfish://10.1.0.1/redfish/v1/Systems/1" },
      nics: [{ name: "eth0", mac: "52:54:00:12:34:56", switch: "leaf-1", port: "swp48" }],
    },
  },
  host_type: { metadata: { name: "gpu" }, title: "With two accelerators" },
  hub: {
    metadata: { name: "hub-c" },
    spec: {
      region: "eu-north",
      capacity: 20,
      base_domain: "eu-north.example.com",
      kubeconfig: JSON.stringify({
        contexts: [{ name: "hub-c", context: { cluster: "hub-c", user: "slipway" } }],
        clusters: [{ name: "hub-c", cluster: { server: "https://hub-c.example.com:6443" } }],
        users: [{ name: "slipway", user: { token: "a-service-account" } }],
      }),
    },
  },
  identity_provider: {
    metadata: { name: "company" },
    spec: {
      title: "The company's login",
      oidc: {
        issuer: "https://login.example.com",
        client_id: "slipway",
        client_secret: "a-secret",
      },
    },
  },
  project: { metadata: { name: "shop" }, spec: { title: "The shop" } },
  project_membership: {
    metadata: { name: "web-team", project: "web" },
    spec: { role: "PROJECT_MEMBERSHIP_ROLE_MANAGER", users: ["ann"] },
  },
  quota: {
    metadata: { name: "of-the-tenant", tenant: "tenant-a" },
    spec: { limits: { control_planes: 10, hosts: { fc430: 20 } } },
  },
  role: {
    metadata: { name: "operators" },
    spec: { title: "Operators", grants: "project-manager" },
  },
  role_binding: {
    metadata: { name: "web-team" },
    spec: { role: "support", groups: ["web-team"] },
  },
  secret: { metadata: { name: "registry" }, data: { token: "c2xpcHdheQ==" } },
  site: { metadata: { name: "site-2" }, spec: {} },
  tenant: { metadata: { name: "tenant-c" }, spec: { domains: ["c.example.com"] } },
  user: { metadata: { name: "ann" }, spec: { username: "ann", email: "ann@example.com" } },
  webhook: {
    metadata: { name: "portal" },
    spec: { url: "https://portal.example.com/slipway", event_types: ["slipway.cluster.*"] },
  },
};

/** Kinds whose objects belong to tenants: an administrator names the tenant. */
const ofTenants = new Set<Subject>([
  ...(["cluster", "project", "project_membership", "user", "role_binding"] as const),
  ...(["identity_provider", "secret", "webhook"] as const),
]);

const others: Partial<Record<Verb, Example>> = {
  // Of a user named ann.
  issue: {
    csr: [
      "-----BEGIN CERTIFICATE REQUEST-----",
      "MIH9MIGlAgEAMEMxFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMSgwJgYDVQQDDB9z",
      "eXN0ZW06Y3VzdG9tZXItYnJlYWstZ2xhc3M6YW5uMFkwEwYHKoZIzj0CAQYIKoZI",
      "zj0DAQcDQgAEsrER/ND4jR9jai0MpvYPF9+q6OcA7x0S7IoD+cut6iQq/EL4AEuU",
      "Z4AszQEPWm7Q8mEbtzrN0j5nJNHrEd7PVqAAMAoGCCqGSM49BAMCA0cAMEQCIGEK",
      "CUofa6C/9By4Z05bFs0VQblYSUQIHZ8t+RT5310xAiAbykzC2XsQdYNUh/VvgmRQ",
      "UjFuVkfRz2pnGPZpqZUFOQ==",
      "-----END CERTIFICATE REQUEST-----",
    ].join("\n"),
  },
  replay: { position: 1 },
  report: { heartbeat: true, news: [] },
};

export function exampleOf(area: Area, subject: Subject, verb: Verb): Example {
  if (verb === "update") {
    return subject === "cluster"
      ? { spec: { node_sets: { workers: { size: 3 } } } }
      : { metadata: { labels: { team: "blue" } } };
  }
  const example = (verb === "create" ? creates[subject] : others[verb]) ?? {};
  if (area === "public" || verb !== "create" || !ofTenants.has(subject)) return example;
  return { ...example, metadata: { ...Object(example.metadata), tenant: "tenant-a" } };
}
