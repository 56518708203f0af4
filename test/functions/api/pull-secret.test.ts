import { beforeEach, describe, expect, it } from "vitest";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { type Api, catalogApi, order, pullSecret, v1 } from "../../support/api.ts";

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
});

it.each([
  "canary",
  '"canary"',
  "null",
  "{}",
  '["canary"]',
  '{"auth": "canary"}',
  '{"auths": "canary"}',
  '{"auths": ["canary"]}',
  '{"auths": {}}',
  '{"auths": {"quay.io": "canary"}}',
  '{"auths": {"": {"auth": "dTpjYW5hcnk="}}}',
  '{"auths": {"quay.io\\n": {"auth": "dTpjYW5hcnk="}}}',
  '{"auths": {"quay.io": {"auth": "!!!canary"}}}',
  // Neither a user nor a password.
  '{"auths": {"quay.io": {"auth": "Y2FuYXJ5"}}}',
  '{"auths": {"quay.io": {"auth": "OmNhbmFyeQ=="}}}',
  '{"auths": {"quay.io": {"auth": 5}}}',
  // What Docker Desktop writes.
  '{"auths": {"quay.io": {}}, "credsStore": "canary"}',
  '{"auths": {"quay.io": {"username": "me", "password": "canary"}}}',
  "***",
])("is refused at once, and not quoted, when it is %s", async (secret) => {
  const before = api.dump();
  const order_ = order("one", { pull_secret: secret, version: "9-9-9" });
  for (const query of ["", "?dry_run=true"]) {
    const { status, body, text } = await api.ask("ann", "POST", `${v1}/clusters${query}`, order_);
    expect(status).toBe(400);
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([
      "spec.pull_secret",
      "spec.version",
    ]);
    expect(text).not.toContain("canary");
  }
  expect(api.dump()).toBe(before);
});

it("is not there when it is empty, in an order and in a change", async () => {
  const { body } = await api.ask(
    "ann",
    "POST",
    `${v1}/clusters`,
    order("one", { pull_secret: "" }),
  );
  expect(body.spec).not.toHaveProperty("pull_secret");
  expect(api.deps.secretValues.size).toBe(0);
  const second = order("two", { pull_secret: pullSecret("x") });
  const other = await api.ask("ann", "POST", `${v1}/clusters`, second);
  for (const { id, spec } of [body, other.body]) {
    const answer = await api.ask("ann", "PATCH", `${v1}/clusters/${id}`, {
      metadata: { labels: { a: "1" } },
      spec: { pull_secret: "" },
    });
    expect(answer.status).toBe(200);
    expect(answer.body.spec).toEqual(spec);
  }
  expect([...api.deps.secretValues.values()]).toEqual([pullSecret("x")]);
});

describe("a change of it", () => {
  const change = (id: string, spec: object, query = "") =>
    api.ask("ann", "PATCH", `${v1}/clusters/${id}${query}`, { spec });
  /** The id of a cluster that is READY, ordered with this. */
  async function ready(spec: object = {}): Promise<string> {
    const { body } = await api.ask("ann", "POST", `${v1}/clusters`, order("one", spec));
    await changeObject(api.deps, "cluster", body.id, ({ operation: _, ...cluster }) => ({
      ...cluster,
      published: true,
      applied: cluster.spec.node_sets,
    }));
    return body.id;
  }
  const secrets = () => [...api.deps.secretValues.values()];
  const stored = (id: string) => mustLoad(api.deps, "cluster", id);

  it.each([[{ pull_secret: pullSecret("old") }], [{}]])(
    "replaces what the order had (%j), by an operation, and is stored nowhere else",
    async (spec) => {
      const id = await ready(spec);
      const answer = await change(id, { pull_secret: pullSecret("canary") });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.body.spec.pull_secret).toBe("***");
      expect(answer.body.status.operation).toBeDefined();
      expect(answer.headers.get("Operation-Location")).toContain(answer.body.status.operation);
      expect(secrets()).toEqual([pullSecret("canary")]);
      const records = JSON.stringify(api.deps.store.stream(undefined, 10_000));
      expect(records).not.toContain("canary");
    },
  );

  it("is none when it is sent back masked", async () => {
    const id = await ready({ pull_secret: pullSecret("x") });
    const before = api.dump();
    for (const query of ["", "?update_mask=spec.pull_secret"])
      expect((await change(id, { pull_secret: "***" }, query)).status).toBe(200);
    expect(api.dump()).toBe(before);
    expect(secrets()).toEqual([pullSecret("x")]);
  });

  it.each([
    [{}, { pull_secret: "***" }, "spec.pull_secret"],
    [{ pull_secret: pullSecret("x") }, { pull_secret: "canary" }, "spec.pull_secret"],
    [
      { pull_secret: pullSecret("x") },
      { pull_secret: pullSecret("canary"), version: "4-18-0" },
      "spec.version",
    ],
    [{}, { pull_secret_secret: { name: "nope" } }, "spec.pull_secret_secret"],
    [
      { pull_secret: pullSecret("x") },
      { pull_secret_secret: { name: "nope" } },
      "spec.pull_secret",
    ],
  ])("is refused of %j to %j, and leaves nothing", async (spec, wish, field) => {
    const id = await ready(spec);
    const before = api.dump();
    const { status, body, text } = await change(id, wish);
    expect(status).toBe(400);
    expect(body.errors[0].field).toBe(field);
    expect(text).not.toContain("canary");
    expect(api.dump()).toBe(before);
  });

  it("leaves nothing behind when it is only tried, or stale", async () => {
    const id = await ready({ pull_secret: pullSecret("x") });
    const before = api.dump();
    const wish = { pull_secret: pullSecret("y") };
    expect((await change(id, wish, "?dry_run=true")).status).toBe(200);
    const stale = { "If-Match": '"7"' };
    const path = `${v1}/clusters/${id}`;
    expect((await api.ask("ann", "PATCH", path, { spec: wish }, stale)).status).toBe(412);
    expect(api.dump()).toBe(before);
  });

  it("is the secret that is named instead, or none: then it is the provider's", async () => {
    const id = await ready({ pull_secret: pullSecret("x") });
    const data = { ".dockerconfigjson": Buffer.from(pullSecret("y")).toString("base64") };
    const named = await api.ask("ann", "POST", `${v1}/secrets`, { metadata: { name: "s" }, data });
    const other = { pull_secret: null, pull_secret_secret: { name: "s" } };
    expect((await change(id, other)).status).toBe(200);
    expect((await stored(id)).spec.pull_secret_secret).toEqual({ id: named.body.id, name: "s" });
    expect(secrets()).toHaveLength(1);
    const gone = await api.ask("ann", "DELETE", `${v1}/secrets/${named.body.id}`);
    expect(gone.body.code).toBe(9);
    expect((await change(id, { pull_secret_secret: null })).status).toBe(200);
    expect((await stored(id)).spec).not.toHaveProperty("pull_secret_secret");
  });
});
