import { beforeEach, describe, expect, it } from "vitest";
import { problemSchema } from "../../../functions/api/problem.ts";
import { type Answer, type Api, catalogApi, order, priv, v1 } from "../../support/api.ts";

/** Bad input: refused with every field named, and nothing is written. */

let api: Api;
let before: string;
beforeEach(async () => {
  api = await catalogApi();
  before = api.dump();
});

const fields = ({ body }: Answer) => body.errors.map(({ field }: { field: string }) => field);

function expectProblem(answer: Answer, status: number) {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
  expect(problemSchema.strict().parse(answer.body).request_id).toBe(
    answer.headers.get("X-Request-Id"),
  );
  expect(api.dump()).toBe(before);
}

const any = (type: string, value: unknown) => ({
  "@type": `type.googleapis.com/google.protobuf.${type}`,
  value,
});

describe("an order is refused for", () => {
  it.each<[string, unknown, string[]]>([
    ["malformed JSON", '{"metadata": {"name": "one"', [""]],
    ["JSON that is no object", "[]", [""]],
    ["JSON nested too deep", `${'{"a":'.repeat(100)}1${"}".repeat(100)}`, [""]],
    ["a member that is given twice", '{"spec": {"a": "{", "b": [{"a": 1}], "a": 2}}', [""]],
    [
      "text that is not Unicode",
      '{"metadata": {"display_name": "\\ud800"}}',
      ["metadata.display_name"],
    ],
    ["a name that is not Unicode", '{"\\udc00": 1}', [""]],
    [
      "more members than anything has",
      Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`m${n}`, n])),
      [""],
    ],
    ["more items than anything has", { list: Array.from({ length: 10_001 }, () => ({})) }, [""]],
    ["a name of a member that is too long", { ["m".repeat(1025)]: 1 }, [""]],
    ["nothing at all", "", ["metadata", "spec", "spec.template"]],
    [
      "unknown fields at every depth",
      {
        ...order("one", { color: "red", node_sets: { workers: { size: 2, flavor: 1 } } }),
        extra: 1,
      },
      ["extra", "spec.color", "spec.node_sets.workers.flavor"],
    ],
    [
      "wrong types",
      order(
        "one",
        { node_sets: { workers: { size: "three" } }, ssh_public_key: 5, network: [] },
        { labels: "x" },
      ),
      ["metadata.labels", "spec.network", "spec.node_sets.workers.size", "spec.ssh_public_key"],
    ],
    ["names that break RFC 1123", order("One_Two"), ["metadata.name"]],
    ["a name that is too long", order("a".repeat(64)), ["metadata.name"]],
    ["no name", { metadata: {}, spec: order("x").spec }, ["metadata.name"]],
    [
      "labels that Kubernetes refuses",
      order("one", {}, { labels: { "Bad Key": "x", ok: "-bad-" } }),
      ["metadata.labels.Bad Key", "metadata.labels.ok"],
    ],
    [
      "an unknown template, version and host type",
      order("one", { template: { id: "nope" }, version: "9-9-9" }),
      ["spec.template", "spec.version"],
    ],
    [
      "an unknown host type",
      order("one", { node_sets: { workers: { host_type: "huge" } } }),
      ["spec.node_sets.workers.host_type"],
    ],
    [
      "a host type the template does not allow",
      order("one", { node_sets: { workers: { host_type: { name: "large" } } } }),
      ["spec.node_sets.workers.host_type"],
    ],
    ["an empty reference", order("one", { template: {} }), ["spec.template"]],
    [
      "id and name of different objects",
      order("one", { template: { id: "ocp_small", name: "other" } }),
      ["spec.template"],
    ],
    ["an obsolete version", order("one", { version: "4-12-0" }), ["spec.version"]],
    ["no template", order("one", { template: null }), ["spec.template"]],
    [
      "node counts out of range",
      order("one", { node_sets: { workers: { size: 0 }, gpu: { size: 501 } } }),
      ["spec.node_sets.gpu.size", "spec.node_sets.workers.size"],
    ],
    [
      "half a node",
      order("one", { node_sets: { workers: { size: 1.5 } } }),
      ["spec.node_sets.workers.size"],
    ],
    [
      "too many nodes together",
      order("one", { node_sets: { workers: { size: 300 }, gpu: { size: 300 } } }),
      ["spec.node_sets"],
    ],
    [
      "a node set the template has not",
      order("one", { node_sets: { storage: { size: 1 } } }),
      ["spec.node_sets.storage"],
    ],
    [
      "template parameters missing, of wrong type and unknown",
      order("one", { template_parameters: { vlan: "ten", color: "red" } }),
      [
        "spec.template_parameters.color",
        "spec.template_parameters.owner",
        "spec.template_parameters.vlan",
      ],
    ],
    [
      "an Any of the wrong type",
      order("one", {
        template_parameters: { owner: any("Int64Value", "5"), vlan: any("Timestamp", "x") },
      }),
      ["spec.template_parameters.owner", "spec.template_parameters.vlan"],
    ],
    [
      "a parameter that is no scalar",
      order("one", { template_parameters: { owner: ["me"] } }),
      ["spec.template_parameters.owner"],
    ],
    [
      "prefixes that are none, or overlap",
      order("one", { network: { pod_cidr: "10.0.0.0/33", service_cidr: "here" } }),
      ["spec.network.pod_cidr", "spec.network.service_cidr"],
    ],
    [
      "overlapping prefixes",
      order("one", { network: { pod_cidr: "10.0.0.0/8", service_cidr: "10.1.0.0/16" } }),
      ["spec.network.service_cidr"],
    ],
    ["an id no label can hold", { id: "a/b", ...order("one") }, ["id"]],
    ["both spellings of a field", order("one", { node_sets: {}, nodeSets: {} }), ["spec.nodeSets"]],
    [
      "__proto__",
      '{"__proto__":{"a":1},"metadata":{"name":"one"},"spec":{"template":"ocp_small","template_parameters":{"owner":"me"}}}',
      ["__proto__"],
    ],
    [
      "what the schema and what the catalog find, at once",
      order("Bad Name", {
        template_parameters: { nope: 1 },
        node_sets: { workers: { size: -1, host_type: "huge" } },
        junk: 1,
      }),
      [
        "metadata.name",
        "spec.junk",
        "spec.node_sets.workers.host_type",
        "spec.node_sets.workers.size",
        "spec.template_parameters.nope",
        "spec.template_parameters.owner",
      ],
    ],
  ])("%s", async (_, body, expected) => {
    const answer = await api.ask("ann", "POST", `${v1}/clusters`, body);
    expectProblem(answer, 400);
    expect(fields(answer)).toEqual(expected);
    expect(answer.body.code).toBe(3);
    const details = answer.body.details[0].field_violations.map(
      ({ field }: { field: string }) => field,
    );
    expect(details).toEqual(expected.map((field) => (field === "" ? "object" : `object.${field}`)));
  });

  it("a body over 1 MB", async () => {
    const answer = await api.ask(
      "ann",
      "POST",
      `${v1}/clusters`,
      order("one", {}, { description: "x".repeat(1024 * 1024) }),
    );
    expectProblem(answer, 413);
  });

  it("an object larger than the store holds", async () => {
    const annotations = { a: "x".repeat(200_000), b: "x".repeat(100_000) };
    expectProblem(
      await api.ask("ann", "POST", `${v1}/clusters`, order("one", {}, { annotations })),
      400,
    );
  });

  it("an Idempotency-Key that is none", async () => {
    expectProblem(
      await api.ask("ann", "POST", `${v1}/clusters`, order("one"), { "Idempotency-Key": "a b" }),
      400,
    );
  });
});

it("never quotes a malformed body, which may hold a secret", async () => {
  const answer = await api.ask("ann", "POST", `${v1}/clusters`, '{"spec":{"pull_secret": canary}}');
  expectProblem(answer, 400);
  expect(answer.text).not.toContain("canary");
});

describe("who asks", () => {
  it("is known before the body is looked at", async () => {
    const answer = await api.ask("nobody", "POST", `${v1}/clusters`, "{");
    expectProblem(answer, 401);
    expect(answer.headers.get("WWW-Authenticate")).toContain("Bearer");
    expect(answer.body.code).toBe(16);
  });

  it.each([
    ["ann", "POST", `${priv}/hubs`],
    ["ann", "GET", `${priv}/clusters`],
    ["bob", "DELETE", `${priv}/cluster_templates/ocp_small`],
    ["hub", "GET", `${v1}/clusters`],
    ["hub", "GET", `${priv}/hosts`],
    ["bob", "GET", `${priv}/removal`],
    ["bob", "POST", `${priv}/removal:resume`],
    ["bob", "GET", `${priv}/intake`],
    ["bob", "POST", `${priv}/intake:pause`],
  ] as const)("%s may not %s %s", async (person, method, path) => {
    expectProblem(await api.ask(person, method, path), 403);
  });
});

describe("a path", () => {
  it.each([
    ["GET", "/nowhere", 404, 5],
    ["GET", `${v1}/clusters/`, 404, 5],
    ["GET", `${v1}/hubs`, 404, 5],
    ["PUT", `${v1}/clusters`, 501, 12],
    ["POST", `${v1}/quotas`, 501, 12],
    ["DELETE", `${v1}/operations/x`, 501, 12],
    ["POST", "/healthz", 501, 12],
  ])("%s %s is %i", async (method, path, status, code) => {
    const answer = await api.ask("ann", method, path);
    expectProblem(answer, status);
    expect(answer.body.code).toBe(code);
  });
});

it("takes the client's request id, unless it is none", async () => {
  const headers = { "X-Request-Id": "req-1" };
  expect(
    (await api.ask("ann", "GET", `${v1}/clusters`, undefined, headers)).headers.get("X-Request-Id"),
  ).toBe("req-1");
  const odd = await api.ask("ann", "GET", "/nowhere", undefined, { "X-Request-Id": "a b" });
  expect(odd.body.request_id).toMatch(/^[0-9a-f-]{36}$/);
});

it("answers anonymous questions", async () => {
  expect((await api.ask("nobody", "GET", "/healthz")).status).toBe(200);
  const capabilities = await api.ask("nobody", "GET", `${v1}/capabilities`);
  expect(capabilities.body).toMatchObject({
    authn: { trusted_token_issuers: ["https://issuer.example.com"] },
  });
});
