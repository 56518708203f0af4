import * as fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { type Api, catalogApi, order, priv, v1 } from "../../support/api.ts";
import { tries } from "../../support/seed.ts";

/** Whatever comes in is answered, never with a 5xx; what is refused is a problem. */

let api: Api;
let cluster: string;
beforeAll(async () => {
  api = await catalogApi();
  cluster = (await api.ask("ann", "POST", `${v1}/clusters`, order("fuzzed"))).body.id;
});

const odd = fc.oneof(
  fc.constantFrom(
    null,
    "",
    "x",
    0,
    -1,
    1.5,
    1e308,
    true,
    [],
    {},
    [null],
    "a".repeat(3000),
    "\u0000",
    "\ud800",
    "__proto__",
  ),
  fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text)),
);
const members = [
  "id",
  "metadata",
  "spec",
  "status",
  "metadata.name",
  "metadata.labels",
  "metadata.annotations",
  "metadata.project",
  "metadata.tenant",
  "metadata.version",
  "metadata.displayName",
  "spec.template",
  "spec.catalog_item",
  "spec.template_parameters",
  "spec.template_parameters.owner",
  "spec.node_sets",
  "spec.node_sets.workers",
  "spec.node_sets.workers.size",
  "spec.nodeSets.gpu.hostType",
  "spec.version",
  "spec.network",
  "spec.network.pod_cidr",
  "spec.network_attachment",
  "spec.network_attachment.subnet",
  "spec.network_attachment.security_groups",
  "spec.pull_secret",
  "spec.pull_secret_secret",
  "spec.ssh_public_key",
  "spec.placement",
  "spec.placement.labels",
];

function withMember(body: unknown, path: string, value: unknown): unknown {
  const [name = "", ...rest] = path.split(".");
  const object = typeof body === "object" && body !== null && !Array.isArray(body) ? body : {};
  const inner =
    rest.length === 0 ? value : withMember(Reflect.get(object, name), rest.join("."), value);
  return { ...object, [name]: inner };
}

const changes = fc.array(fc.tuple(fc.constantFrom(...members), odd), {
  minLength: 1,
  maxLength: 3,
});
const apply = (body: unknown, edits: [string, unknown][]) =>
  edits.reduce((each, [path, value]) => withMember(each, path, value), body);

async function expectAnswer(
  method: string,
  path: string,
  body?: unknown,
  person: "ann" | "admin" = "ann",
) {
  const answer = await api.ask(person, method, path, body);
  expect(
    [200, 400, 403, 404, 409, 413],
    `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`,
  ).toContain(answer.status);
  if (answer.status !== 200)
    expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
}

it("orders", async () => {
  await fc.assert(
    fc.asyncProperty(changes, (edits) =>
      expectAnswer("POST", `${v1}/clusters?dry_run=true`, apply(order("new"), edits)),
    ),
    tries(400),
  );
});

it("changes", async () => {
  const mask = fc.constantFrom(
    "",
    "?update_mask=spec",
    "?update_mask=metadata.labels.a,spec.node_sets.workers",
    "?update_mask=.,a..b",
    "?update_mask=metadata.labels.__proto__",
  );
  await fc.assert(
    fc.asyncProperty(changes, mask, (edits, query) =>
      expectAnswer("PATCH", `${v1}/clusters/${cluster}${query}`, apply({}, edits)),
    ),
    tries(400),
  );
});

it("kinds of administrators", async () => {
  const bodies = {
    hosts: {
      metadata: { name: "h" },
      spec: { host_type: "small", hub: "x", bmc: { address: "a" }, nics: [] },
    },
    hubs: {
      metadata: { name: "h" },
      spec: { region: "eu", capacity: 1, base_domain: "b", kubeconfig: "{}" },
    },
    cluster_templates: {
      metadata: { name: "t" },
      node_sets: { w: { host_type: "small", size: 1 } },
      parameters: [],
    },
    cluster_catalog_items: {
      metadata: { name: "i" },
      template: "ocp_small",
      field_definitions: [{ path: "version", editable: true, validation_schema: "{}" }],
    },
    quotas: {
      metadata: { name: "q", tenant: "tenant-a" },
      spec: { limits: { hosts: { small: 1 } } },
    },
    projects: { metadata: { name: "p", tenant: "tenant-a" }, spec: { title: "P" } },
    project_memberships: {
      metadata: { name: "m", tenant: "tenant-a", project: "p" },
      spec: { role: "PROJECT_MEMBERSHIP_ROLE_VIEWER", users: ["ann"] },
    },
    tenants: { metadata: { name: "t" }, spec: { domains: [] } },
    users: { metadata: { name: "u", tenant: "tenant-a" }, spec: { username: "u" } },
    roles: { metadata: { name: "r" }, spec: { grants: "tenant-user" } },
    role_bindings: {
      metadata: { name: "b", tenant: "tenant-a" },
      spec: { role: "r", users: ["u"], groups: ["g"] },
    },
    identity_providers: { metadata: { name: "i" }, spec: { oidc: { client_id: "c" } } },
    secrets: { metadata: { name: "s" }, data: { a: "YQ==" } },
  };
  const paths = [
    "spec",
    "spec.nics",
    "spec.hub",
    "spec.kubeconfig",
    "spec.labels",
    "node_sets",
    "node_sets.w",
    "parameters",
    "spec_defaults",
    "spec_defaults.network",
    "storage",
    "operators",
    "manifests",
    "validation",
    "validation.workload",
    "on_failure",
    "revision",
    "metadata",
    "metadata.name",
    "metadata.tenant",
    "metadata.project",
    "spec.limits",
    "spec.limits.hosts",
    "spec.parent",
    "spec.role",
    "spec.users",
    "spec.domains",
    "spec.username",
    "spec.grants",
    "spec.groups",
    "spec.oidc",
    "spec.oidc.issuer",
    "data",
    "data.a",
    "template",
    "tenants",
    "published",
    "field_definitions",
    "field_definitions.0",
  ];
  const edits = fc.array(fc.tuple(fc.constantFrom(...paths), odd), { minLength: 1, maxLength: 2 });
  const kinds = Object.entries(bodies);
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...kinds), edits, ([kind, body], list) =>
      expectAnswer("POST", `${priv}/${kind}?dry_run=true`, apply(body, list), "admin"),
    ),
    tries(1000),
  );
});

it("offers", async () => {
  const definition = fc.record(
    {
      path: fc.constantFrom(
        "version",
        "node_sets",
        "node_sets.workers.size",
        "network",
        "x",
        "a..b",
      ),
      editable: fc.boolean(),
      default: odd,
      validation_schema: fc.oneof(fc.string(), fc.json({ maxDepth: 2 })),
    },
    { requiredKeys: ["path"] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(definition, { maxLength: 3 }), (field_definitions) => {
      const item = { metadata: { name: "i" }, template: "ocp_small", field_definitions };
      const path = `${priv}/cluster_catalog_items?dry_run=true`;
      return expectAnswer("POST", path, item, "admin");
    }),
    tries(400),
  );
});

it("list parameters, ids and filters", async () => {
  const piece = fc.constantFrom(
    "this",
    ".metadata",
    ".name",
    ".id",
    '["a"]',
    " == ",
    " in ",
    " && ",
    "!",
    "(",
    ")",
    "1",
    '"x"',
    "null",
    "now",
    " < ",
    "has(",
    "[",
    "]",
    ".spec.node_sets",
    " + ",
    ",",
    `"${"y".repeat(3000)}"`,
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 12 }).map((parts) => parts.join("")),
  );
  const name = fc.constantFrom("filter", "order", "limit", "offset", "page_token");
  await fc.assert(
    fc.asyncProperty(name, text, (parameter, value) =>
      expectAnswer("GET", `${v1}/clusters?${new URLSearchParams({ [parameter]: value })}`),
    ),
    tries(600),
  );
  const id = fc.oneof(fc.string({ minLength: 1 }), fc.constant("z".repeat(4000)));
  const path = fc.constantFrom(
    "clusters/ID",
    "clusters/ID/history",
    "clusters/ID/upgrades",
    "clusters/ID/kubeconfig",
    "operations/ID",
  );
  await fc.assert(
    fc.asyncProperty(path, id, (place, value) =>
      expectAnswer(
        "GET",
        `${v1}/${place.replace("ID", () => encodeURIComponent(value.replaceAll(".", "-").replaceAll("\ud800", "")))}`,
      ),
    ),
    tries(200),
  );
});
