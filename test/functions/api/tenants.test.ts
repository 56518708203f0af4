import { beforeEach, describe, expect, it } from "vitest";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { type Api, catalogApi, order, priv, v1 } from "../../support/api.ts";
import { testDeps } from "../../support/deps.ts";

/** Whether somebody is a tenant, by the provider's choice. */

let api: Api;
const create = (kind: string, body: unknown, person: "ann" | "amy" | "admin" = "amy", query = "") =>
  api.ask(person, "POST", `${person === "admin" ? priv : v1}/${kind}${query}`, body);
const record = () => api.ask("admin", "GET", `${priv}/tenants/tenant-a`);
const register = () => create("tenants", { metadata: { name: "tenant-a" } }, "admin");
const quota = { metadata: { name: "q", tenant: "tenant-a" }, spec: { limits: {} } };
const hook = { metadata: { name: "w" }, spec: { url: "https://hooks.example.com/x" } };

describe("with tenants of first use", () => {
  beforeEach(async () => {
    api = await catalogApi();
  });

  it.each([
    ["an order", () => create("clusters", order("one"))],
    ["a project", () => create("projects", { metadata: { name: "p" } })],
    ["a webhook", () => create("webhooks", hook)],
    ["a quota that the provider sets", () => create("quotas", quota, "admin")],
  ])("%s makes the record of a tenant", async (_, make) => {
    expect((await record()).status).toBe(404);
    expect((await make()).status).toBe(200);
    expect((await record()).body).toMatchObject({
      id: "tenant-a",
      metadata: { name: "tenant-a", tenant: "tenant-a", creator: "slipway" },
      status: { state: "TENANT_STATE_SYNCED" },
    });
    expect((await create("projects", { metadata: { name: "more" } })).status).toBe(200);
    expect((await api.ask("admin", "GET", `${priv}/tenants`)).body.total).toBe(1);
  });

  it("what is refused, only tried or only read makes none", async () => {
    await create("clusters", {});
    await create("clusters", order("one"), "ann", "?dry_run=true");
    await api.ask("ann", "GET", `${v1}/clusters`);
    expect((await record()).status).toBe(404);
  });

  it("many first orders at once make one", async () => {
    const names = Array.from({ length: 10 }, (_, n) => `c${n}`);
    const answers = await Promise.all(names.map((name) => create("clusters", order(name))));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    expect((await api.ask("admin", "GET", `${priv}/tenants`)).body.total).toBe(1);
  });

  it("a tenant that comes back counts its events on", async () => {
    await register();
    await api.ask("admin", "DELETE", `${priv}/tenants/tenant-a`);
    await create("projects", { metadata: { name: "p" } });
    const { event } = await mustLoad(api.deps, "tenant", "tenant-a");
    expect(event).toMatchObject({ type: "slipway.tenant.created.v1", sequence: 3 });
  });
});

describe("with registered tenants", () => {
  beforeEach(async () => {
    api = await catalogApi(testDeps({ tenants: "registered" }));
  });

  it.each([
    ["an order", () => create("clusters", order("one"))],
    ["an order that is only tried", () => create("clusters", order("one"), "ann", "?dry_run=true")],
    ["a project", () => create("projects", { metadata: { name: "p" } })],
    [
      "a project that is only tried",
      () => create("projects", { metadata: { name: "p" } }, "amy", "?dry_run=true"),
    ],
    ["a quota that the provider sets", () => create("quotas", quota, "admin")],
    [
      "the provider's order",
      () => create("clusters", order("one", {}, { tenant: "tenant-a" }), "admin"),
    ],
  ])("%s of somebody without a record is refused", async (_, make) => {
    const before = api.dump();
    expect(await make()).toMatchObject({
      status: 403,
      body: { code: 7, message: "tenant 'tenant-a' doesn't exist" },
    });
    expect(api.dump()).toBe(before);
  });

  it("a tenant that has one orders", async () => {
    await register();
    expect((await create("clusters", order("one"))).status).toBe(200);
    await api.ask("admin", "POST", `${priv}/host_types`, { metadata: { name: "shared-one" } });
  });

  it("an order never outlives the record that goes while it is accepted", async () => {
    await register();
    const { store } = api.deps;
    const transact = store.transact.bind(store);
    store.transact = async (writes) => {
      store.transact = transact;
      const gone = await api.ask("admin", "DELETE", `${priv}/tenants/tenant-a`);
      expect(gone.status).toBe(200);
      return transact(writes);
    };
    expect((await create("clusters", order("one"))).status).toBe(403);
    expect((await record()).status).toBe(404);
  });
});
