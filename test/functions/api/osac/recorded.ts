/**
 * What OSAC's server (August 2026, built and run) answered to requests, and where Slipway answers
 * otherwise. Every case names the row of docs/osac-compatibility.md that tells of it.
 */

export interface Request {
  /** Who asks: the provider's administrator, a user of a tenant, its administrator, or nobody. */
  as: "admin" | "ann" | "amy" | "nobody";
  method: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE" | "OPTIONS";
  /** Below the server; `{id}` is that of what the last request before made. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Told {
  status: number;
  /** Of an error, as gRPC numbers it. */
  code?: number;
  /** Members of the answer. */
  body?: object;
  /** Members, by their paths, that the answer does not have. */
  without?: string[];
  headers?: Record<string, string>;
}

export interface Recorded {
  /** `section: first cell` of its row. */
  row: string;
  /** What it is about, where its row has several. */
  about?: string;
  before?: Request[];
  request: Request;
  peer: Told;
  /** Where it is not as the peer's. */
  ours?: Told;
}

const privately = "/api/private/v1";
const publicly = "/api/fulfillment/v1";
const protobuf = "type.googleapis.com/google.protobuf";

const admin = (
  method: Request["method"],
  path: string,
  body?: unknown,
  area = privately,
): Request => ({
  as: "admin",
  method,
  path: `${area}/${path}`,
  ...(body === undefined ? {} : { body }),
});
const ann = (method: Request["method"], path: string, body?: unknown): Request => ({
  as: "ann",
  method,
  path: `${publicly}/${path}`,
  ...(body === undefined ? {} : { body }),
});

/** A template as OSAC's publisher sends it. */
const published = (parameters: unknown[], more: object = {}) =>
  admin("POST", "cluster_templates", {
    id: "osac.templates.ocp_tiny",
    title: "Tiny",
    description: "One node",
    parameters,
    node_sets: { small: { host_type: { name: "small" }, size: 1 } },
    ...more,
  });

/** An order as OSAC's documents have it. */
const orderOf = (name: string, spec: object = {}, metadata: object = {}) => ({
  metadata: { name, ...metadata },
  spec: {
    template: { name: "ocp-small" },
    template_parameters: { owner: { "@type": `${protobuf}.StringValue`, value: "me" } },
    ...spec,
  },
});
const cluster = (...order: Parameters<typeof orderOf>) =>
  ann("POST", "clusters", orderOf(...order));
const listed = (filter: string): Request =>
  ann("GET", `clusters?filter=${encodeURIComponent(filter)}`);
/** As the installer seeds it. */
const version = (name: string, number: string, spec: object = {}): Request =>
  admin("POST", "cluster_versions", {
    metadata: { name },
    spec: { version: number, image: "quay.io/x/y:1", enabled: true, is_default: false, ...spec },
  });
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, "v"]));
const dockerConfig = '{"auths":{"quay.io":{"auth":"YTpi"}}}';
const secret = ann("POST", "secrets", {
  metadata: { name: "registry" },
  data: { ".dockerconfigjson": Buffer.from(dockerConfig).toString("base64") },
});
const role = admin("POST", "roles", {
  metadata: { name: "tenant-user" },
  spec: { title: "User" },
});
const offered = (definition: object) =>
  admin("POST", "cluster_catalog_items", {
    metadata: { name: "gold" },
    title: "Gold",
    template: { name: "ocp-small" },
    field_definitions: [definition],
  });
const kubeconfig = Buffer.from(
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "hub", cluster: { server: "https://172.30.0.1:443" } }],
    contexts: [{ name: "hub", context: { cluster: "hub", namespace: "osac", user: "hub-access" } }],
    "current-context": "hub",
    users: [{ name: "hub-access", user: { token: "canary" } }],
  }),
).toString("base64");
/** As the installer registers it. */
const hub = admin("POST", "hubs", {
  id: "hub",
  metadata: { name: "hub" },
  spec: { kubeconfig, namespace: "osac" },
});
/** Kinds of OSAC's gateway that answer a list there. */
const missing = [
  {
    area: publicly,
    kinds: [
      ...["compute_instances", "compute_instance_templates", "compute_instance_catalog_items"],
      ...["instance_types", "disk_images"],
    ],
  },
  {
    area: privately,
    kinds: ["storage_backends", "storage_tiers", "volumes"],
  },
];
/** One of each kind that is everybody's to read. */
const provided = {
  host_types: { metadata: { name: "tiny" }, title: "Tiny" },
  cluster_templates: {
    metadata: { name: "tiny" },
    node_sets: { workers: { host_type: { name: "small" }, size: 1 } },
  },
  cluster_versions: {
    metadata: { name: "4-19-0" },
    spec: { version: "4.19.0", image: "quay.io/x/y:1" },
  },
  roles: { metadata: { name: "tenant-user" }, spec: { title: "User" } },
};

/** As the tables of the comparison have them, row by row. */
export const recorded: Recorded[] = [
  {
    row: "All kinds: `metadata.name`",
    about: "the installer's host type, named by its id",
    request: admin("POST", "host_types", {
      id: "ci-worker",
      title: "CI Worker",
      description: "Worker nodes for CI testing",
    }),
    peer: { status: 200, body: { id: "ci-worker", metadata: { name: "ci-worker" } } },
  },
  {
    row: "All kinds: `metadata.name`",
    about: "the publisher's template, named by its id",
    request: published([]),
    peer: {
      status: 200,
      body: { id: "osac.templates.ocp_tiny", metadata: { name: "ocp-tiny" } },
    },
  },
  {
    row: "All kinds: field names in bodies",
    about: "null within lists",
    request: published([
      {
        name: "p",
        title: null,
        description: null,
        type: `${protobuf}.StringValue`,
        default: null,
      },
    ]),
    peer: { status: 200, body: { parameters: [{ name: "p" }] }, without: ["parameters.0.title"] },
  },
  {
    row: "All kinds: field names in bodies",
    about: "null of what is not known",
    request: admin("POST", "host_types", { metadata: { name: "x" }, nonsense: null }),
    peer: { status: 400, code: 3 },
  },
  {
    row: "All kinds: field names in bodies",
    about: "integers as JSON text",
    request: cluster("c", { node_sets: { workers: { size: "3" } } }),
    peer: { status: 200, body: { spec: { node_sets: { workers: { size: 3 } } } } },
  },
  ...[
    ["lists and objects", "Value", ["a", { b: 1 }]],
    ["bytes", "BytesValue", "YWJj"],
  ].map(
    ([about, type, value]): Recorded => ({
      row: "cluster_templates: `parameters[].type`",
      about: `the publisher's type of ${about}`,
      request: published([
        {
          name: "p",
          type: `${protobuf}.${type}`,
          default: { "@type": `${protobuf}.${type}`, value },
        },
      ]),
      peer: { status: 200, body: { parameters: [{ default: { value } }] } },
    }),
  ),
  {
    row: "All kinds: `filter`",
    about: "a project that is not there equals no text",
    before: [cluster("one")],
    request: listed("this.metadata.project == ''"),
    peer: { status: 200, body: { total: 1 } },
  },
  {
    row: "All kinds: `filter`",
    about: "a project that is not there is unlike another",
    before: [cluster("one")],
    request: listed("this.metadata.project != 'x'"),
    peer: { status: 200, body: { total: 1 } },
  },
  {
    row: "All kinds: `filter`",
    about: "a label that is not there is unlike a text",
    before: [cluster("one")],
    request: listed("this.metadata.labels['zz'] != 'a'"),
    peer: { status: 200, body: { total: 1 } },
  },
  {
    row: "cluster_versions: `spec.enabled`, `is_default`, `state`",
    about: "the default moves",
    request: version("4-19-0", "4.19.0", { is_default: true }),
    peer: { status: 200, body: { spec: { is_default: true } } },
  },
  {
    row: "cluster_versions: `spec.enabled`, `is_default`, `state`",
    about: "the default that has moved",
    before: [version("4-19-0", "4.19.0", { is_default: true })],
    request: admin("GET", "cluster_versions/4-17-0"),
    peer: { status: 200, body: { spec: { is_default: false } } },
  },
  {
    row: "cluster_versions: `spec.version`",
    about: "once, whatever it is called",
    before: [version("d1", "8.8.8")],
    request: version("d2", "8.8.8"),
    peer: { status: 409, code: 6 },
  },
  {
    row: "cluster_versions: `id`",
    request: {
      ...version("4-19-0", "4.19.0"),
      body: { ...Object(version("4-19-0", "4.19.0").body), id: "x" },
    },
    peer: { status: 200 },
    ours: { status: 200, body: { id: "4-19-0" } },
  },
  ...(["host_types", "cluster_templates", "cluster_versions", "roles"] as const).flatMap(
    (kind): Recorded[] => {
      const path = `${publicly}/${kind}`;
      const row = "All kinds: public and private views";
      const about = "what the provider writes on public paths";
      const body = provided[kind];
      return [
        { row, about, request: { as: "admin", method: "POST", path, body }, peer: { status: 200 } },
        {
          row,
          about,
          request: { as: "amy", method: "POST", path, body },
          peer: { status: 403, code: 7 },
        },
      ];
    },
  ),
  {
    row: "All kinds: `id`",
    request: ann("POST", "clusters", { ...orderOf("c"), id: "own" }),
    peer: { status: 200, body: { id: "own" } },
    ours: { status: 400, code: 3 },
  },
  {
    row: "All kinds: unset members",
    request: ann("GET", "clusters"),
    peer: { status: 200, without: ["size", "total", "items"] },
    ours: { status: 200, body: { size: 0, total: 0, items: [] } },
  },
  {
    row: "All kinds: `metadata.name`",
    about: "taken",
    before: [cluster("c")],
    request: cluster("c"),
    peer: { status: 409, code: 6 },
  },
  {
    row: "All kinds: `metadata.tenant`",
    before: [cluster("c")],
    request: ann("PATCH", "clusters/{id}", { metadata: { tenant: "tenant-b" } }),
    peer: { status: 403, code: 7 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "All kinds: `metadata.display_name`, `description`",
    request: cluster("c", {}, { display_name: "The first" }),
    peer: { status: 200, without: ["metadata.display_name"] },
    ours: { status: 200, body: { metadata: { display_name: "The first" } } },
  },
  {
    row: "All kinds: `metadata.creator`",
    request: cluster("c"),
    // The id of the user's record.
    peer: { status: 200 },
    ours: { status: 200, body: { metadata: { creator: "ann" } } },
  },
  {
    row: "All kinds: `metadata.labels`, `annotations`",
    about: "65 of them",
    request: cluster("c", {}, { labels: many(65) }),
    peer: { status: 200 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "All kinds: sizes",
    about: "an annotation of more than 256 KiB",
    request: cluster("c", {}, { annotations: { a: "x".repeat(262_145) } }),
    peer: { status: 200 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "All kinds: sizes",
    about: "a body of more than 1 MiB",
    request: cluster("c", {}, { annotations: { a: "x".repeat(1_100_000) } }),
    peer: { status: 200 },
    ours: { status: 413, code: 3 },
  },
  {
    row: "All kinds: sizes",
    about: "a filter of more than 4096 characters",
    request: listed(`this.metadata.name == '${"x".repeat(4096)}'`),
    peer: { status: 200 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "All kinds: sizes",
    about: "a node set of 501 nodes",
    request: cluster("c", { node_sets: { workers: { size: 501 } } }),
    peer: { status: 200 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "All kinds: sizes",
    about: "a key of more than 16 KiB",
    request: cluster("c", { ssh_public_key: "x".repeat(16_385) }),
    peer: { status: 200 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "All kinds: `limit`, `offset`",
    request: ann("GET", "clusters?offset=10001"),
    peer: { status: 200 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "All kinds: `limit`, `offset`",
    about: "one that is none",
    request: ann("GET", "clusters?limit=-1"),
    peer: { status: 400, code: 3 },
  },
  ...["(this.metadata.name == 'x') == false", "this.metadata.name == 'a' + 'b'"].map(
    (filter): Recorded => ({
      row: "All kinds: `filter`",
      about: filter,
      request: listed(filter),
      peer: { status: 500, code: 13 },
      ours: { status: 200 },
    }),
  ),
  ...["this.metadata.version == 0", "this.metadata.annotations['a'] == 'b'"].map(
    (filter): Recorded => ({
      row: "All kinds: `filter`",
      about: filter,
      request: listed(filter),
      peer: { status: 400, code: 3 },
      ours: { status: 200 },
    }),
  ),
  {
    row: "All kinds: an invalid filter",
    request: listed("this.x =="),
    peer: { status: 400, code: 3 },
  },
  {
    row: "All kinds: `X-Dry-Run`",
    about: "of a name that is taken",
    before: [cluster("c")],
    request: { ...cluster("c"), headers: { "X-Dry-Run": "true" } },
    peer: { status: 200 },
    ours: { status: 409, code: 6 },
  },
  {
    row: "All kinds: `Content-Type`",
    request: { ...cluster("c"), headers: { "Content-Type": "application/octet-stream" } },
    peer: { status: 200 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "All kinds: the body",
    about: "what follows the object",
    request: { ...cluster("c"), body: `${JSON.stringify(cluster("c").body)} x` },
    peer: { status: 200 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "All kinds: the body",
    about: "NUL in a text",
    request: admin("POST", "host_types", { metadata: { name: "x" }, title: "a\0b" }),
    peer: { status: 500, code: 13 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "All kinds: the body",
    about: "a wrong enum in a status, which is ignored",
    request: ann("POST", "clusters", { ...orderOf("c"), status: { state: "NONE" } }),
    peer: { status: 400, code: 3 },
    ours: { status: 200 },
  },
  {
    row: "All kinds: authentication before validation",
    request: { as: "nobody", method: "POST", path: `${publicly}/clusters`, body: {} },
    peer: { status: 400, code: 3 },
    ours: { status: 401, code: 16 },
  },
  {
    row: "All kinds: errors",
    request: ann("GET", "clusters/none"),
    peer: { status: 404, code: 5, headers: { "Content-Type": "application/json" } },
    ours: { status: 404, code: 5, headers: { "Content-Type": "application/problem+json" } },
  },
  {
    row: "All kinds: paths, verbs",
    about: "a path that is none",
    request: ann("GET", "nothing"),
    peer: { status: 404, code: 5 },
  },
  {
    row: "All kinds: `HEAD`, trailing slash",
    request: { as: "ann", method: "HEAD", path: `${publicly}/clusters` },
    peer: { status: 501 },
    ours: { status: 200 },
  },
  {
    row: "All kinds: `HEAD`, trailing slash",
    request: ann("GET", "clusters/"),
    peer: { status: 400 },
    ours: { status: 404, code: 5 },
  },
  {
    row: "All kinds: browsers of other origins",
    request: {
      as: "nobody",
      method: "OPTIONS",
      path: `${publicly}/clusters`,
      headers: {
        Origin: "https://portal.example.com",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type",
      },
    },
    peer: { status: 200, headers: { "Access-Control-Allow-Origin": "*" } },
    ours: { status: 204, headers: { "Access-Control-Allow-Origin": "*" } },
  },
  {
    row: "All kinds: references",
    about: "bare",
    request: cluster("c", { template: "ocp-small" }),
    peer: { status: 400, code: 3 },
    ours: { status: 200 },
  },
  {
    row: "All kinds: references to missing objects",
    request: cluster("c", { template: { name: "nope" } }),
    peer: { status: 400, code: 3 },
  },
  {
    row: "clusters: `spec.template_parameters`",
    about: "plain",
    request: cluster("c", { template_parameters: { owner: "me" } }),
    peer: { status: 400, code: 3 },
    ours: { status: 200 },
  },
  {
    row: "clusters: `spec.node_sets.*.host_type`, `size`",
    about: "an unknown host type",
    request: cluster("c", { node_sets: { workers: { host_type: { name: "none" }, size: 1 } } }),
    peer: { status: 404, code: 5 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "clusters: `spec.node_sets.*.host_type`, `size`",
    about: "no size",
    request: cluster("c", { node_sets: { workers: {} } }),
    peer: { status: 400, code: 3 },
    ours: { status: 200, body: { spec: { node_sets: { workers: { size: 2 } } } } },
  },
  ...["{}", '{"auths":{}}', "none"].map(
    (pull_secret): Recorded => ({
      row: "clusters: `spec.pull_secret`",
      about: pull_secret,
      request: cluster("c", { pull_secret }),
      peer: { status: 200 },
      ours: { status: 400, code: 3 },
    }),
  ),
  {
    row: "clusters: `spec.pull_secret`",
    about: "another",
    before: [cluster("c")],
    request: ann("PATCH", "clusters/{id}", { spec: { pull_secret: dockerConfig } }),
    // OSAC's clusters are without a state until a controller has seen them; ours is still made.
    peer: { status: 200, body: { spec: { pull_secret: "***" } } },
  },
  {
    row: "clusters: `spec.pull_secret`",
    about: "what stands in for it",
    before: [cluster("c", { pull_secret: dockerConfig })],
    request: ann("PATCH", "clusters/{id}", { spec: { pull_secret: "***" } }),
    // The secret is gone there.
    peer: { status: 200, without: ["spec.pull_secret"] },
    ours: { status: 200, body: { spec: { pull_secret: "***" } } },
  },
  {
    row: "clusters: `spec.pull_secret`",
    about: "to the provider",
    before: [cluster("c", { pull_secret: dockerConfig })],
    request: admin("GET", "clusters/{id}"),
    peer: { status: 200, body: { spec: { pull_secret: dockerConfig } } },
    ours: { status: 200, body: { spec: { pull_secret: "***" } } },
  },
  {
    row: "clusters: `spec.pull_secret_secret`",
    before: [secret],
    request: cluster("c", { pull_secret_secret: { name: "registry" } }),
    peer: { status: 500 },
    ours: { status: 200, body: { spec: { pull_secret_secret: { name: "registry" } } } },
  },
  {
    row: "clusters: `spec.ssh_public_key`",
    before: [cluster("c")],
    request: ann("PATCH", "clusters/{id}", { spec: { ssh_public_key: "ssh-ed25519 AAAA" } }),
    peer: { status: 200 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "clusters: `spec.network.pod_cidr`, `service_cidr`",
    about: "another",
    before: [cluster("c")],
    request: ann("PATCH", "clusters/{id}", { spec: { network: { pod_cidr: "10.0.0.0/14" } } }),
    peer: { status: 200 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "clusters: `spec.network.pod_cidr`, `service_cidr`",
    about: "over each other",
    request: cluster("c", { network: { pod_cidr: "10.0.0.0/8", service_cidr: "10.1.0.0/16" } }),
    peer: { status: 200 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "clusters: `spec.auto_external_ip_attachment`",
    request: cluster("c", { auto_external_ip_attachment: false }),
    peer: { status: 200 },
  },
  {
    row: "cluster_templates: `node_sets.*.host_type`, `size`",
    about: "an unknown host type",
    request: published([], { node_sets: { w: { host_type: { name: "none" }, size: 1 } } }),
    peer: { status: 200 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "cluster_templates: deletion",
    before: [cluster("c")],
    request: admin("DELETE", "cluster_templates/ocp_small"),
    peer: { status: 200 },
    ours: { status: 400, code: 9 },
  },
  {
    row: "host_types: `id`",
    about: "another than the name",
    request: admin("POST", "host_types", { id: "own", metadata: { name: "x" } }),
    peer: { status: 200, body: { id: "own" } },
    ours: { status: 400, code: 3 },
  },
  {
    row: "host_types: `id`",
    about: "taken",
    request: admin("POST", "host_types", { id: "small", metadata: { name: "x" } }),
    peer: { status: 409, code: 6 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "host_types: deletion",
    request: admin("DELETE", "host_types/small"),
    peer: { status: 200 },
    ours: { status: 400, code: 9 },
  },
  {
    row: "cluster_versions: deletion",
    before: [cluster("c")],
    request: admin("DELETE", "cluster_versions/4-17-0"),
    peer: { status: 400, code: 9 },
  },
  {
    row: "cluster_catalog_items: `field_definitions[].path`",
    request: offered({ path: "spec.version", editable: true }),
    peer: { status: 200 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "cluster_catalog_items: `field_definitions[].validation_schema`",
    request: offered({
      path: "ssh_public_key",
      editable: true,
      validation_schema: '{"type":"string","contentEncoding":"base64"}',
    }),
    peer: { status: 200 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "roles: `status`",
    before: [role],
    request: admin("GET", "roles/tenant-user"),
    // `state` says that it is ready.
    peer: { status: 200 },
    ours: { status: 200, without: ["status.state"] },
  },
  {
    row: "role_bindings: `spec.users`",
    about: "nobody",
    before: [role],
    request: {
      as: "amy",
      method: "POST",
      path: `${publicly}/role_bindings`,
      body: { metadata: { name: "b" }, spec: { role: { name: "tenant-user" } } },
    },
    peer: { status: 200 },
    ours: { status: 400, code: 3 },
  },
  {
    row: "secrets: `data`",
    before: [secret],
    request: ann("GET", "secrets/{id}"),
    // The public kind is declared, and not served.
    peer: { status: 404, code: 5 },
    ours: { status: 200, without: ["data"] },
  },
  {
    row: "hubs: `spec.region`, `capacity`, `base_domain`",
    about: "the installer's hub",
    request: hub,
    peer: { status: 200, body: { id: "hub", spec: { namespace: "osac" } } },
  },
  {
    row: "hubs: `spec.region`, `capacity`, `base_domain`",
    about: "what it lacks",
    before: [hub],
    request: { ...admin("GET", "hubs/hub"), headers: { Accept: "application/json" } },
    peer: { status: 200 },
    ours: { status: 200, body: { status: { state: "HUB_STATE_INCOMPLETE" } } },
  },
  {
    row: "hubs: `spec.namespace`",
    about: "the installer, once more",
    before: [hub],
    request: admin("PATCH", "hubs/hub", { spec: { kubeconfig, namespace: "other" } }),
    peer: { status: 200, body: { spec: { namespace: "other" } } },
  },
  {
    row: "hubs: `spec.kubeconfig`",
    before: [hub],
    request: admin("GET", "hubs/hub"),
    peer: { status: 200, body: { spec: { kubeconfig } } },
    ours: { status: 200, without: ["spec.kubeconfig"] },
  },
  {
    row: "events: public events",
    request: { as: "ann", method: "GET", path: "/api/events/v1/events?filter=event.type%20==" },
    peer: { status: 404, code: 5 },
    // It is served, and refuses what OSAC's private one refuses.
    ours: { status: 400, code: 3 },
  },
  ...(
    [
      ...["network_classes", "virtual_networks", "subnets", "security_groups"],
      ...["external_ip_pools", "external_ips", "external_ip_attachments", "nat_gateways"],
    ] as const
  ).map(
    (kind): Recorded => ({
      row: `${kind}: lists`,
      request: admin("GET", kind, undefined, kind === "network_classes" ? privately : publicly),
      peer: { status: 200 },
    }),
  ),
  ...missing.flatMap(({ area, kinds }) =>
    kinds.map(
      (kind): Recorded => ({
        row: `Not served: \`${kind}\``,
        request: admin("GET", kind, undefined, area),
        peer: { status: 200 },
        ours: { status: 404, code: 5 },
      }),
    ),
  ),
  {
    row: "Not served: `/.well-known/jwks.json`",
    request: { as: "nobody", method: "GET", path: "/.well-known/jwks.json" },
    peer: { status: 200 },
    ours: { status: 404, code: 5 },
  },
];
