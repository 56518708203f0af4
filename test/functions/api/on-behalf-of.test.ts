import { beforeEach, describe, expect, it } from "vitest";
import { eventSchema } from "../../../core/kernel/events/events.ts";
import { publish } from "../../../core/kernel/events/publish.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { type Api, catalogApi, order, people, priv, v1 } from "../../support/api.ts";

/** Portals act for tenants that let them; who did it and for whom is told everywhere. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
  for (const [name, role] of [
    ["tenant-a", "tenant-user"],
    ["tenant-b", "tenant-admin"],
  ]) {
    const spec = { service_accounts: [{ user: "portal", role }] };
    const body = { metadata: { name }, spec };
    expect((await api.ask("admin", "POST", `${priv}/tenants`, body)).status).toBe(200);
  }
  await api.ask("admin", "POST", `${priv}/tenants`, { metadata: { name: "tenant-c" } });
});

const on = (tenant: string, user?: string) => ({
  "Slipway-On-Behalf-Of": tenant,
  ...(user !== undefined && { "Slipway-On-Behalf-Of-User": user }),
});
const create = (name: string, headers: Record<string, string>) =>
  api.ask("portal", "POST", `${v1}/clusters`, order(name), headers);

describe("a portal", () => {
  it("orders for a tenant that lets it, and sees what is the tenant's and no more", async () => {
    const { status, body } = await create("one", on("tenant-a", "ann@example.com"));
    expect(status).toBe(200);
    expect(body.metadata).toMatchObject({ tenant: "tenant-a", creator: "ann@example.com" });
    expect((await create("one", on("tenant-b"))).body.metadata.creator).toBe("portal");
    const list = await api.ask("portal", "GET", `${v1}/clusters`, undefined, on("tenant-a"));
    expect(list.body).toMatchObject({ total: 1, items: [{ id: body.id }] });
    const other = on("tenant-b");
    const path = `${v1}/clusters/${body.id}`;
    expect((await api.ask("portal", "GET", path, undefined, other)).status).toBe(404);
  });

  it("has the role that the tenant's record gives it there", async () => {
    const project = (tenant: string) =>
      api.ask("portal", "POST", `${v1}/projects`, { metadata: { name: "p" } }, on(tenant));
    expect((await project("tenant-a")).status).toBe(403);
    expect((await project("tenant-b")).status).toBe(200);
    const tenants = await api.ask("portal", "GET", `${priv}/tenants`, undefined, on("tenant-b"));
    expect(tenants.status).toBe(403);
  });

  it("may not name the tenant of what it orders otherwise", async () => {
    const body = order("one", {}, { tenant: "tenant-b" });
    const answer = await api.ask("portal", "POST", `${v1}/clusters`, body, on("tenant-a"));
    expect(answer.status).toBe(403);
  });

  it("may do nothing any more once the tenant has taken it back", async () => {
    const spec = { service_accounts: [] };
    await api.ask("admin", "PATCH", `${priv}/tenants/tenant-a`, { spec });
    expect((await create("one", on("tenant-a"))).status).toBe(404);
  });

  it.each([
    ["no tenant", { "Slipway-On-Behalf-Of-User": "ann" }],
    ["an empty tenant", on("")],
    ["an empty user", on("tenant-a", "")],
    ["a user longer than any", on("tenant-a", "u".repeat(254))],
  ])("that names %s is told so", async (_, headers) => {
    expect((await create("one", headers)).status).toBe(400);
  });
});

describe("who did it and for whom", () => {
  const behalf = { tenant: "tenant-a", user: "ann" };

  it("is in the audit of the tenant", async () => {
    const { id } = (await create("one", on("tenant-a", "ann"))).body;
    const path = `${v1}/clusters/${id}/kubeconfig`;
    await api.ask("portal", "GET", path, undefined, on("tenant-a"));
    const { body } = await api.ask("admin", "GET", `${priv}/audit_entries?tenant=tenant-a`);
    expect(body.items.slice(1)).toMatchObject([
      { verb: "create", actor: people.portal, on_behalf_of: behalf },
      { verb: "credentials", actor: people.portal, on_behalf_of: { tenant: "tenant-a" } },
    ]);
  });

  const eventOf = async (kind: "cluster" | "operation", id: string) => {
    await publish(api.deps, await mustLoad(api.deps, kind, id));
    return eventSchema.parse(api.deps.published.at(-1)).data;
  };

  it("is in every event of the request, and in none that came of itself", async () => {
    const { id, status } = (await create("one", on("tenant-a", "ann"))).body;
    const actor = { user: "portal", on_behalf_of: behalf };
    expect((await eventOf("cluster", id)).actor).toEqual(actor);
    expect((await eventOf("operation", status.operation)).actor).toEqual(actor);
    await changeObject(api.deps, "cluster", id, (cluster) => ({ ...cluster, published: true }));
    await changeObject(api.deps, "cluster", id, (cluster) => ({
      ...cluster,
      metadata: { ...cluster.metadata, description: "seen" },
    }));
    expect(await eventOf("cluster", id)).not.toHaveProperty("actor");
    const labels = { metadata: { labels: { a: "b" } } };
    await api.ask("ann", "PATCH", `${v1}/clusters/${id}`, labels);
    expect((await eventOf("cluster", id)).actor).toEqual({ user: "ann" });
    await api.ask("ann", "DELETE", `${v1}/clusters/${id}`);
    expect(await eventOf("cluster", id)).toMatchObject({ actor: { user: "ann" } });
  });
});

it("is nothing that OSAC knows of a tenant", async () => {
  const osac = { Accept: "application/json;profile=osac" };
  const answer = await api.ask("bob", "GET", `${v1}/tenants/tenant-b`, undefined, osac);
  expect(answer.body).toMatchObject({ id: "tenant-b", spec: {} });
  expect(answer.body.spec).toEqual({});
});
