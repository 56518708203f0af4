import { beforeEach, describe, expect, it } from "vitest";
import { publish } from "../../../core/kernel/events/publish.ts";
import { archive, mustLoad } from "../../../core/kernel/object/records.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { createApp } from "../../../functions/api/app.ts";
import { type Api, catalogApi, order, type Person, people, v1 } from "../../support/api.ts";
import { counting } from "../../support/counting-store.ts";

/** What is in a project is there for its members only, and for those of the whole tenant. */

let api: Api;
let ids: Record<string, string>;

const project = async (name: string, spec: object = {}, person: Person = "amy") =>
  api.ask(person, "POST", `${v1}/projects`, { metadata: { name }, spec });
const member = async (path: string, role: string, users: string[], person: Person = "amy") =>
  api.ask(person, "POST", `${v1}/project_memberships`, {
    metadata: { name: `m-${users.join("-")}-${path.replaceAll(".", "-")}`, project: path },
    spec: { role: `PROJECT_MEMBERSHIP_ROLE_${role}`, users },
  });
const names = async (person: Person, query = "") =>
  (await api.ask(person, "GET", `${v1}/clusters${query}`)).body.items.map(
    ({ metadata }: { metadata: { name: string } }) => metadata.name,
  );
const fields = (body: { errors: { field: string }[] }) => body.errors.map(({ field }) => field);

beforeEach(async () => {
  api = await catalogApi();
  for (const path of ["shop", "shop.web", "shopping", "lab"]) await project(path);
  await member("shop", "VIEWER", ["vic"]);
  await member("shop.web", "MANAGER", ["mia"]);
  ids = {};
  for (const [name, path] of [
    ["a", undefined],
    ["b", "shop"],
    ["c", "shop.web"],
    ["d", "shopping"],
    ["e", "lab"],
  ] as const) {
    const { body } = await api.ask(
      "ann",
      "POST",
      `${v1}/clusters`,
      order(name, {}, { project: path }),
    );
    ids[name] = body.id;
  }
});

describe("a cluster in a project", () => {
  it.each(["", "?dry_run=true"])("has a DNS name that is nobody else's (%s)", async (query) => {
    const ask = (name: string, path?: string) =>
      api.ask("ann", "POST", `${v1}/clusters${query}`, order(name, {}, { project: path }));
    expect((await ask("b", "lab")).status).toBe(200);
    expect((await ask("apps")).status).toBe(200);
    const refused = await ask("apps", "shop");
    expect(refused.status).toBe(400);
    expect(fields(refused.body)).toEqual(["metadata.name"]);
  });
});

describe("a project", () => {
  it("is named by its path, or below a parent", async () => {
    const { body } = await project("api", { parent: "shop.web", title: "API" });
    expect(body).toMatchObject({
      metadata: { name: "shop.web.api", project: "shop.web", tenant: "tenant-a" },
      spec: { title: "API", parent: { name: "shop.web" } },
      status: { state: "PROJECT_STATE_ACTIVE" },
    });
    const again = await api.ask("amy", "PATCH", `${v1}/projects/${body.id}`, {
      spec: { title: "B" },
    });
    expect(again.body).toMatchObject({ metadata: { name: "shop.web.api" }, spec: { title: "B" } });
  });

  it("needs a parent that is there", async () => {
    expect(fields((await project("none.web")).body)).toEqual(["metadata.name"]);
    expect(fields((await project("web", { parent: "none" })).body)).toEqual(["spec.parent"]);
    expect(fields((await project("lab.x", { parent: "shop" })).body)).toEqual(["spec.parent"]);
    expect((await project("shop")).status).toBe(409);
  });

  it("stays while something is in it, and goes after", async () => {
    const { body } = await api.ask("amy", "GET", `${v1}/projects?filter=this.metadata.name=="lab"`);
    const path = `${v1}/projects/${body.items[0].id}`;
    const refused = await api.ask("amy", "DELETE", path);
    expect(refused.body).toMatchObject({ status: 400, code: 9 });
    expect(refused.body.message).toContain("in use by 1 cluster");
    const cluster = await mustLoad(api.deps, "cluster", ids.e ?? "");
    await api.deps.store.transact(archive(kinds, cluster, api.deps.clock.now()));
    expect((await api.ask("amy", "DELETE", path)).status).toBe(200);
    const late = await api.ask("ann", "POST", `${v1}/clusters`, order("f", {}, { project: "lab" }));
    expect(fields(late.body)).toEqual(["metadata.project"]);
  });

  it("of another tenant is none", async () => {
    const { body } = await api.ask(
      "bob",
      "POST",
      `${v1}/clusters`,
      order("x", {}, { project: "lab" }),
    );
    expect(body.errors).toEqual([
      { field: "metadata.project", message: "project 'lab' doesn't exist" },
    ]);
    expect((await api.ask("bob", "GET", `${v1}/projects`)).body.total).toBe(0);
  });
});

describe("a viewer", () => {
  it("sees a project and what is below it, in whatever way it is asked for", async () => {
    expect(await names("vic")).toEqual(["b", "c"]);
    expect(await names("vic", "?order=metadata.name desc")).toEqual(["c", "b"]);
    expect(await names("vic", '?filter=this.metadata.name in ["a","b","e"]')).toEqual(["b"]);
    expect(await names("vic", '?filter=this.metadata.name == "e"')).toEqual([]);
    expect(await names("vic", `?filter=this.id == "${ids.e}"`)).toEqual([]);
    for (const kind of ["clusters", "operations"]) {
      const { body } = await api.ask("vic", "GET", `${v1}/${kind}?limit=1`);
      expect(body).toMatchObject({ size: 1, total: 2 });
      const next = await api.ask("vic", "GET", `${v1}/${kind}?page_token=${body.next_page_token}`);
      expect(next.body).toMatchObject({ size: 1, total: 2 });
      expect(next.body.next_page_token).toBeUndefined();
    }
    const paths = await api.ask("vic", "GET", `${v1}/projects`);
    expect(paths.body).toMatchObject({
      total: 2,
      items: [{ metadata: { name: "shop" } }, { metadata: { name: "shop.web" } }],
    });
  });

  it("gets the same answer for what is elsewhere as for what is nowhere", async () => {
    const about = async (id: string, end = "") => {
      const { status, body } = await api.ask("vic", "GET", `${v1}/clusters/${id}${end}`);
      const { request_id: _, instance: __, ...rest } = body;
      return JSON.stringify({ status, ...rest }).replaceAll(id, "ID");
    };
    for (const id of [ids.a ?? "", ids.d ?? "", ids.e ?? ""]) {
      expect(await about(id)).toBe(await about("none"));
      expect(await about(id, "/history")).toBe(await about("none", "/history"));
    }
    expect((await api.ask("vic", "GET", `${v1}/clusters/${ids.c}`)).status).toBe(200);
  });

  it("changes nothing, and reads no credentials", async () => {
    const path = `${v1}/clusters/${ids.b}`;
    for (const [method, end] of [
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/retry"],
      ["GET", "/kubeconfig"],
      ["GET", "/password"],
      ["GET", "/credentials"],
      ["POST", "/credentials"],
      ["POST", "/credentials/revoke"],
    ] as const)
      expect(
        (await api.ask("vic", method, path + end, method === "GET" ? undefined : {})).status,
        method + end,
      ).toBe(403);
    const inShop = order("z", {}, { project: "shop" });
    expect((await api.ask("vic", "POST", `${v1}/clusters`, inShop)).status).toBe(403);
  });

  it("is told of the events of these projects only", async () => {
    for (const id of Object.values(ids))
      await publish(api.deps, await mustLoad(api.deps, "cluster", id));
    const { text } = await api.ask("vic", "GET", "/api/events/v1/events?last_event_id=0");
    const told = text
      .trim()
      .split("\n")
      .flatMap((line) => JSON.parse(line).result.event.cluster?.metadata.name ?? []);
    expect(told).toEqual(["b", "c"]);
  });

  it("has its memberships read once, and no more of a tenant than its projects", async () => {
    const before = await reads();
    for (let n = 0; n < 30; n++)
      await api.ask("ann", "POST", `${v1}/clusters`, order(`more-${n}`, {}, { project: "lab" }));
    expect(await reads()).toBe(before);
  });
});

/** Items read of the store to list clusters. */
async function reads(): Promise<number> {
  const { counted, calls } = counting(api.deps.store);
  const app = createApp(
    { ...api.deps, store: counted },
    { profile: "slipway", principal: () => people.vic },
  );
  expect((await app.request(`${v1}/clusters`)).status).toBe(200);
  expect(calls.query).toBeLessThan(6);
  return calls.read;
}

describe("a manager", () => {
  it("orders in a project and below, nowhere else", async () => {
    const ordered = async (path?: string) =>
      (await api.ask("mia", "POST", `${v1}/clusters`, order("n", {}, { project: path }))).status;
    expect(await ordered("shop.web")).toBe(200);
    for (const path of [undefined, "shop", "lab", "none"]) expect(await ordered(path)).toBe(403);
    expect((await api.ask("mia", "DELETE", `${v1}/clusters/${ids.b}`)).status).toBe(404);
    expect((await api.ask("mia", "DELETE", `${v1}/clusters/${ids.c}`)).status).toBe(200);
  });

  it("may see more than it may change", async () => {
    await member("shop", "VIEWER", ["mia"]);
    expect((await api.ask("mia", "DELETE", `${v1}/clusters/${ids.b}`)).status).toBe(403);
    expect((await api.ask("mia", "DELETE", `${v1}/clusters/${ids.c}`)).status).toBe(200);
  });

  it("says who else is a member", async () => {
    expect((await member("shop.web", "VIEWER", ["zoe"], "mia")).status).toBe(200);
    expect((await member("shop", "VIEWER", ["zoe"], "mia")).status).toBe(403);
    expect((await member("shop", "VIEWER", ["zoe"], "vic")).status).toBe(403);
  });

  it("gets no order of another project back by its Idempotency-Key", async () => {
    const headers = { "Idempotency-Key": "k" };
    const body = order("once", {}, { project: "lab" });
    expect((await api.ask("ann", "POST", `${v1}/clusters`, body, headers)).status).toBe(200);
    expect((await api.ask("mia", "POST", `${v1}/clusters`, body, headers)).status).toBe(422);
  });
});

describe("a membership", () => {
  it("ends with its user's name or itself", async () => {
    const { body } = await member("lab", "VIEWER", ["vic", "zoe"]);
    expect(body.spec.users).toEqual([
      { id: "vic", name: "vic" },
      { id: "zoe", name: "zoe" },
    ]);
    expect(await names("vic")).toEqual(["b", "c", "e"]);
    const path = `${v1}/project_memberships/${body.id}`;
    await api.ask("amy", "PATCH", path, { spec: { users: ["zoe"] } });
    expect(await names("vic")).toEqual(["b", "c"]);
    await api.ask("amy", "PATCH", path, { spec: { users: ["vic"] } });
    expect(await names("vic")).toEqual(["b", "c", "e"]);
    expect((await api.ask("amy", "DELETE", path)).status).toBe(200);
    expect(await names("vic")).toEqual(["b", "c"]);
  });

  it("is refused with everything that is wrong", async () => {
    const { body } = await api.ask("amy", "POST", `${v1}/project_memberships`, {
      metadata: { name: "m" },
      spec: { role: "PROJECT_MEMBERSHIP_ROLE_VIEWER", users: ["a", "a", {}] },
    });
    expect(fields(body)).toEqual(["metadata.project", "spec.users[1]", "spec.users[2]"]);
  });
});

describe("a tenant", () => {
  it("sees its own record, and goes when nothing is left of it", async () => {
    const create = (name: string, metadata = {}) =>
      api.ask("admin", "POST", "/api/private/v1/tenants", { metadata: { name, ...metadata } });
    expect((await create("tenant-c")).body).toMatchObject({
      id: "tenant-c",
      metadata: { tenant: "tenant-c" },
      status: { state: "TENANT_STATE_SYNCED" },
    });
    expect(fields((await create("shared", { tenant: "x" })).body)).toEqual([
      "metadata.name",
      "metadata.tenant",
    ]);
    expect((await api.ask("ann", "GET", `${v1}/tenants`)).body.total).toBe(1);
    expect((await api.ask("ann", "GET", `${v1}/tenants/tenant-c`)).status).toBe(404);
    const remove = (name: string) => api.ask("admin", "DELETE", `/api/private/v1/tenants/${name}`);
    expect((await remove("tenant-a")).body.message).toMatch(/it has 5 clusters, 4 projects/);
    expect((await remove("tenant-c")).status).toBe(200);
  });
});
