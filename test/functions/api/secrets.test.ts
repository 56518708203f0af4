import { beforeEach, describe, expect, it } from "vitest";
import { asHubId } from "../../../core/id.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { archive, mustLoad } from "../../../core/kernel/object/records.ts";
import { relay } from "../../../core/kernel/relay/relay.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { sagas } from "../../../statemachines/index.ts";
import { deploymentOf } from "../../../statemachines/steps/cluster/deployment.ts";
import { type Api, catalogApi, order, priv, pullSecret, v1 } from "../../support/api.ts";
import { testDeps } from "../../support/deps.ts";

/** Objects of kind `secret`: what goes in stays in, and orders use it by name. */

let api: Api;
let logged: unknown[];
beforeEach(async () => {
  logged = [];
  const log = (...members: unknown[]) => void logged.push(members);
  api = await catalogApi(testDeps({ log: { info: log, warn: log, error: log } }));
});

const packed = (text: string) => Buffer.from(text).toString("base64");
const docker = (auth: string) => ({ ".dockerconfigjson": packed(pullSecret(auth)) });
const path = `${v1}/secrets`;
const create = async (name: string, data: object, metadata: object = {}) => {
  const answer = await api.ask("ann", "POST", path, { metadata: { name, ...metadata }, data });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const ordered = (name: string, spec: object, metadata: object = {}) =>
  api.ask("ann", "POST", `${v1}/clusters`, order(name, spec, metadata));

/** Values as the secret store has them. */
const kept = () => [...api.deps.secretValues.values()].map((text) => JSON.parse(text));

describe("a secret", () => {
  it("never answers, tells, audits, logs or stores a value", async () => {
    const values = { token: packed("canary-1") };
    const { id, data } = await create("s", values);
    expect(data).toEqual({ token: "***" });
    expect(kept()).toEqual([values]);
    await api.ask("ann", "PATCH", `${path}/${id}`, { data: { token: packed("canary-2") } });
    for (const record of api.deps.store.stream(undefined, 10_000))
      await relay(api.deps, sagas, record);
    const seen = [
      await api.ask("ann", "GET", `${path}/${id}`),
      await api.ask("ann", "GET", path),
      await api.ask("admin", "GET", `${priv}/secrets/${id}`),
      await api.ask("ann", "GET", "/api/events/v1/events?last_event_id=0"),
      await api.ask("admin", "GET", `${priv}/audit_entries?tenant=tenant-a`),
    ].map(({ status, text }) => ({ status, text }));
    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const { store, published } = api.deps;
    const everything = JSON.stringify([
      ...seen,
      logged,
      published,
      store.stream(undefined, 10_000),
    ]);
    for (const canary of ["canary-1", "canary-2"])
      for (const form of [canary, packed(canary)]) expect(everything).not.toContain(form);
    expect(published.some(({ type }) => type === "slipway.secret.created.v1")).toBe(true);
  });

  it("keeps what is sent back as ***, and replaces its data whole", async () => {
    const { id } = await create("s", { a: packed("1"), b: packed("2") });
    const change = { data: { a: "***", c: packed("3") } };
    const { body } = await api.ask("ann", "PATCH", `${path}/${id}`, change);
    expect(body.data).toEqual({ a: "***", c: "***" });
    expect(kept()).toEqual([{ a: packed("1"), c: packed("3") }]);
    const renamed = await api.ask("ann", "PATCH", `${path}/${id}`, {
      metadata: { labels: { x: "y" } },
    });
    expect(renamed.body.metadata.version).toBe(2);
    expect(kept()).toEqual([{ a: packed("1"), c: packed("3") }]);
  });

  it.each([
    ["no base64", { data: { a: "?" } }, "data.a"],
    ["*** where nothing was", { data: { a: "***" } }, "data.a"],
    ["a key that is none", { data: { "a/b": "" } }, "data.a/b"],
    ["more than the store of secrets takes", { data: { a: "A".repeat(65_536) } }, "data"],
  ])("is refused with %s, and leaves nothing", async (_, body, field) => {
    const answer = await api.ask("ann", "POST", path, { metadata: { name: "s" }, ...body });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field }] } });
    expect(kept()).toEqual([]);
  });

  it("takes its values along when it goes", async () => {
    const { id } = await create("s", { a: packed("1") });
    expect((await api.ask("ann", "DELETE", `${path}/${id}`)).status).toBe(200);
    expect(kept()).toEqual([]);
  });

  it("has no member in the osac profile that its clients cannot read", async () => {
    const { id } = await create("s", { a: packed("1") });
    const accept = { Accept: "application/json;profile=osac" };
    const { body } = await api.ask("ann", "GET", `${path}/${id}`, undefined, accept);
    expect(Object.keys(body).sort()).toEqual(["id", "metadata"]);
  });
});

describe("an order", () => {
  it("takes its pull secret from the secret it names, as that is when it is deployed", async () => {
    const { id } = await create("registry", docker("first"));
    const { body } = await ordered("one", { pull_secret_secret: { name: "registry" } });
    expect(body.spec).toMatchObject({ pull_secret_secret: { id, name: "registry" } });
    expect(body.spec).not.toHaveProperty("pull_secret");
    await api.ask("ann", "PATCH", `${path}/${id}`, { data: docker("second") });
    expect((await deployed(body.id)).pullSecret).toBe(pullSecret("second"));
  });

  it("takes it from the secret that its template names, unless it says otherwise", async () => {
    const shared = { metadata: { name: "ours" }, data: docker("provider") };
    const { body: secret } = await api.ask("admin", "POST", `${priv}/secrets`, shared);
    const template = await api.ask("admin", "PATCH", `${priv}/cluster_templates/ocp_small`, {
      spec_defaults: { pull_secret_secret: "ours" },
    });
    const reference = { id: secret.id, name: "ours" };
    expect(template.body.spec_defaults.pull_secret_secret).toEqual(reference);
    const { body: one } = await ordered("one", {});
    expect(one.spec.pull_secret_secret).toEqual(reference);
    expect((await deployed(one.id)).pullSecret).toBe(pullSecret("provider"));
    const { body: two } = await ordered("two", { pull_secret: pullSecret("own") });
    expect(two.spec).not.toHaveProperty("pull_secret_secret");
    expect((await deployed(two.id)).pullSecret).toBe(pullSecret("own"));
    const inUse = await api.ask("admin", "DELETE", `${priv}/secrets/${secret.id}`);
    expect(inUse.body.message).toMatch(/in use by 1 cluster, 1 cluster template$/);
  });

  it("is refused for a secret that is not there, another's, or no pull secret", async () => {
    await create("odd", { a: packed("x") });
    await create("two", { a: packed("x"), b: packed("y") });
    await api.ask("amy", "POST", `${v1}/projects`, { metadata: { name: "p" } });
    await create("in-project", docker("x"), { project: "p" });
    const shared = { id: "theirs", metadata: { name: "shared" }, data: docker("x") };
    await api.ask("admin", "POST", `${priv}/secrets`, shared);
    for (const name of ["missing", "shared", "theirs", "in-project", "odd", "two"]) {
      const before = api.dump();
      const { status, body } = await ordered("one", { pull_secret_secret: name });
      expect({ status, fields: body.errors.map((each: { field: string }) => each.field) }).toEqual({
        status: 400,
        fields: ["spec.pull_secret_secret"],
      });
      expect(api.dump()).toBe(before);
    }
    const inProject = { pull_secret_secret: "in-project" };
    expect((await ordered("one", inProject, { project: "p" })).status).toBe(200);
  });

  it("brings its pull secret along or names one, not both", async () => {
    await create("registry", docker("x"));
    const both = { pull_secret: pullSecret("y"), pull_secret_secret: "registry" };
    const { body } = await ordered("one", both);
    expect(body.errors).toEqual([
      {
        field: "spec.pull_secret_secret",
        message: "pull_secret and pull_secret_secret are mutually exclusive",
      },
    ]);
  });

  it("keeps the secret it names from going until its cluster is gone", async () => {
    const { id } = await create("registry", docker("x"));
    const { body } = await ordered("one", { pull_secret_secret: "registry" });
    const inUse = await api.ask("ann", "DELETE", `${path}/${id}`);
    expect(inUse).toMatchObject({ status: 400, body: { code: 9 } });
    expect(inUse.body.message).toMatch(/in use by 1 cluster$/);
    const cluster = await mustLoad(api.deps, "cluster", body.id);
    await api.deps.store.transact(archive(kinds, cluster, api.deps.clock.now()));
    expect((await api.ask("ann", "DELETE", `${path}/${id}`)).status).toBe(200);
  });
});

/** What a hub would be told, once the order is placed. */
async function deployed(id: string) {
  const hub = { region: "eu", capacity: 5, base_domain: "example.com", kubeconfig };
  await api.ask("admin", "POST", `${priv}/hubs`, {
    id: "hub-1",
    metadata: { name: "hub-1" },
    spec: hub,
  });
  const cluster = await changeObject(api.deps, "cluster", id, (each) => ({
    ...each,
    placement: { hub: asHubId("hub-1"), at: each.event.time, reason: "", rejected: [], hosts: {} },
  }));
  return deploymentOf(api.deps, cluster, {});
}

const kubeconfig = JSON.stringify({
  contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
  clusters: [{ name: "k", cluster: { server: "https://hub.example.com:6443" } }],
  users: [{ name: "u", user: { token: "t" } }],
});
