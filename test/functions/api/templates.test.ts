import { beforeEach, describe, expect, it } from "vitest";
import { type Api, catalogApi, order, priv, v1 } from "../../support/api.ts";
import { sshKey } from "../../support/orders.ts";

/** Templates on the wire: what administrators write, what tenants see, what OSAC's clients keep. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
});

const path = `${priv}/cluster_templates`;
const job = {
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "j" },
  spec: { suspend: null },
};
const config = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "c", namespace: "demo" },
  data: { size: { $json: { $parameter: "size" } } },
};
const template = {
  id: "full",
  metadata: { name: "full" },
  title: "Everything",
  parameters: [{ name: "size", type: "integer", default: 3, schema: { minimum: 1 } }],
  node_sets: { workers: { host_type: "small", size: 1, allowed_host_types: ["small", "large"] } },
  allowed_host_types: ["small"],
  spec_defaults: { version: { name: "4-17-0" }, network: { pod_cidr: "10.0.0.0/16" } },
  storage: { storage_class: "fast", reclaim_policy: "Retain" },
  operators: [{ package: "nfd", channel: "stable", namespace: "openshift-nfd" }],
  manifests: [config],
  validation: { timeout_minutes: 5, workload: [job] },
  on_failure: "hold",
};
const make = (body: object = template) => api.ask("admin", "POST", path, body);
const fields = ({ body }: { body: { errors: { field: string }[] } }) =>
  body.errors.map(({ field }) => field);

it("is answered whole to administrators, manifests as they came", async () => {
  const { status, body } = await make();
  expect(status).toBe(200);
  const named = (name: string) => ({ id: name, name });
  expect(body).toMatchObject({
    ...template,
    metadata: { name: "full", tenant: "shared" },
    node_sets: {
      workers: {
        host_type: named("small"),
        size: 1,
        allowed_host_types: [named("small"), named("large")],
      },
    },
    allowed_host_types: [named("small")],
    spec_defaults: { version: named("4-17-0"), network: { pod_cidr: "10.0.0.0/16" } },
    revision: 1,
  });
  expect(body.manifests).toEqual([config]);
  expect(body.validation.workload).toEqual([job]);
});

it("shows tenants what they can order, and not how it is made", async () => {
  await make();
  const { body } = await api.ask("ann", "GET", `${v1}/cluster_templates/full`);
  expect(body).toMatchObject({ title: "Everything", revision: 1, storage: template.storage });
  expect(body.parameters).toEqual(template.parameters);
  for (const member of ["operators", "manifests", "validation", "on_failure"])
    expect(body).not.toHaveProperty(member);
});

it("sent back as it came, changes nothing", async () => {
  const { body } = await make();
  const before = api.dump();
  expect((await api.ask("admin", "PATCH", `${path}/full`, body)).body).toEqual(body);
  expect(api.dump()).toBe(before);
});

it("keeps for OSAC's clients what they do not know of", async () => {
  await make();
  const osac = { Accept: "application/json;profile=osac" };
  const { body } = await api.ask("admin", "GET", `${path}/full`, undefined, osac);
  expect(Object.keys(body).sort()).toEqual(
    ["id", "metadata", "node_sets", "parameters", "spec_defaults", "title"].sort(),
  );
  expect(body.node_sets.workers).toEqual({ host_type: { id: "small", name: "small" }, size: 1 });
  expect(body.parameters).toEqual([
    {
      name: "size",
      type: "type.googleapis.com/google.protobuf.Int64Value",
      default: { "@type": "type.googleapis.com/google.protobuf.Int64Value", value: "3" },
    },
  ]);
  await api.ask("admin", "PATCH", `${path}/full`, { ...body, title: "Other" }, osac);
  const after = await api.ask("admin", "GET", `${path}/full`);
  expect(after.body).toMatchObject({
    title: "Other",
    revision: 2,
    manifests: [config],
    parameters: template.parameters,
    node_sets: { workers: { allowed_host_types: [{ name: "small" }, { name: "large" }] } },
  });
});

it("makes orders say which revision they keep, but not in the osac profile", async () => {
  await api.ask("admin", "PATCH", `${path}/ocp_small`, { title: "Newer" });
  const { body } = await api.ask("ann", "POST", `${v1}/clusters`, order("one"));
  expect(body.status.template_revision).toBe(2);
  await api.ask("admin", "PATCH", `${path}/ocp_small`, { title: "Newest" });
  const later = await api.ask("ann", "GET", `${v1}/clusters/${body.id}`);
  expect(later.body.status.template_revision).toBe(2);
  const osac = await api.ask("ann", "GET", `${v1}/clusters/${body.id}`, undefined, {
    Accept: "application/json;profile=osac",
  });
  expect(osac.body.status).not.toHaveProperty("template_revision");
});

describe("is refused", () => {
  it("a member that a manifest's kind does not have, by its name", async () => {
    const quota = {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "q", namespace: "demo" },
      spec: { hardd: { pods: 10 } },
    };
    const workload = [{ ...job, spec: { paralelism: 1 } }];
    const validation = { timeout_minutes: 5, workload };
    const answer = await make({ ...template, manifests: [quota], validation });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([
      {
        field: "manifests[0].spec.hardd",
        message: "is not a member of this kind; did you mean 'hard'?",
      },
      {
        field: "validation.workload[0].spec.paralelism",
        message: "is not a member of this kind; did you mean 'parallelism'?",
      },
    ]);
  });

  it("with every rule that it breaks, at once", async () => {
    const answer = await make({
      ...template,
      parameters: [
        { name: "size", type: "integer", default: 0, schema: { minimum: 1 } },
        { name: "text", type: "string", schema: { pattern: "(" } },
      ],
      node_sets: { workers: { host_type: "small", size: 1, allowed_host_types: ["tiny"] } },
      spec_defaults: { network: { pod_cidr: "here" } },
      operators: [{ package: "nfd", channel: { $parameter: "none" }, namespace: "kube-system" }],
      manifests: [config, { ...config, kind: "Secret" }],
      validation: { timeout_minutes: 5, workload: [config] },
    });
    expect(answer.status).toBe(400);
    expect([...new Set(fields(answer))]).toEqual([
      "manifests[1].kind",
      "node_sets.workers.allowed_host_types[0]",
      "operators[0].channel.$parameter",
      "operators[0].namespace",
      "parameters[0].default",
      "parameters[1].schema.pattern",
      "spec_defaults.network.pod_cidr",
      "validation.workload",
      "validation.workload[0].metadata.namespace",
    ]);
  });

  it.each([
    ["manifests", "x"],
    ["manifests", [1]],
    ["operators", [{}]],
    ["validation", { timeout_minutes: 0, workload: [] }],
    ["storage", { storage_class: "No" }],
    ["on_failure", "never"],
    ["parameters", [{ name: "a", type: "string", schema: { items: 1 } }]],
  ])("with %s that is %j", async (member, value) => {
    const answer = await make({ ...template, manifests: [], [member]: value });
    expect(answer.status).toBe(400);
    for (const field of fields(answer)) expect(field).toMatch(new RegExp(`^${member}`));
  });

  it("when it is larger than can be stored", async () => {
    const data = { text: "x".repeat(300_000) };
    const answer = await make({
      ...template,
      manifests: [config, { ...config, metadata: { name: "d", namespace: "demo" }, data }],
    });
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain("limit");
  });
});

it("gives orders its ssh key that bring none", async () => {
  const spec_defaults = { ssh_public_key: sshKey("ours") };
  const { body } = await make({ ...template, spec_defaults });
  expect(body.spec_defaults).toEqual(spec_defaults);
  const keyOf = async (name: string, spec: object) => {
    const parameters = { template: "full", template_parameters: {} };
    const answer = await api.ask(
      "ann",
      "POST",
      `${v1}/clusters`,
      order(name, { ...parameters, ...spec }),
    );
    expect(answer.status, answer.text).toBe(200);
    return answer.body.spec.ssh_public_key;
  };
  expect(await keyOf("one", {})).toBe(sshKey("ours"));
  expect(await keyOf("two", { ssh_public_key: sshKey("own") })).toBe(sshKey("own"));
});

describe("a parameter of any JSON", () => {
  const value = "type.googleapis.com/google.protobuf.Value";
  const template = (more: object) => ({
    metadata: { name: "listed" },
    node_sets: { workers: { host_type: "small", size: 1 } },
    parameters: [{ name: "peers", type: value, default: { "@type": value, value: ["a"] } }],
    ...more,
  });
  const publish = (more: object = {}) =>
    api.ask("admin", "POST", `${priv}/cluster_templates`, template(more));
  const ordered = (template_parameters: object) =>
    api.ask("ann", "POST", `${v1}/clusters`, {
      metadata: { name: "one" },
      spec: { template: { name: "listed" }, template_parameters },
    });

  it.each([
    [{}, ["a"]],
    [{ peers: ["b", { c: 1 }] }, ["b", { c: 1 }]],
    [{ peers: { "@type": value, value: { c: null } } }, { c: null }],
  ])("takes %j from an order and answers it", async (parameters, peers) => {
    await publish();
    const { status, body, text } = await ordered(parameters);
    expect(status, text).toBe(200);
    expect(body.spec.template_parameters).toEqual({ peers });
    const accept = "application/json;profile=osac";
    const path = `${v1}/clusters/${body.id}`;
    const told = await api.ask("ann", "GET", path, undefined, { accept });
    expect(told.body.spec.template_parameters.peers).toEqual({ "@type": value, value: peers });
  });

  it("is not of a single type, nor with numbers that no store holds", async () => {
    await publish();
    const text = "type.googleapis.com/google.protobuf.StringValue";
    expect((await ordered({ peers: { "@type": text, value: "b" } })).status).toBe(400);
    expect((await ordered({ peers: [1e308] })).status).toBe(400);
  });

  it("cannot stand in a manifest, where it would become structure", async () => {
    const manifest = {
      apiVersion: "example.com/v1",
      kind: "Mesh",
      metadata: { name: "a", namespace: "b" },
      spec: { $parameter: "peers" },
    };
    const { status, body } = await publish({ manifests: [manifest] });
    expect(status).toBe(400);
    expect(body.errors[0].field).toBe("manifests[0].spec.$parameter");
  });
});
