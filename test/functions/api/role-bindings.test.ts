import { beforeEach, describe, expect, it } from "vitest";
import { createApp } from "../../../functions/api/app.ts";
import type { Principal } from "../../../functions/identity/principal.ts";
import { type Api, catalogApi, order, priv, v1 } from "../../support/api.ts";

/** What users, roles and bindings let people do who have no role in their tokens. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
  for (const name of ["provider-viewer", "tenant-admin", "project-manager", "project-viewer"])
    await made(api.ask("admin", "POST", `${priv}/roles`, { metadata: { name } }));
  await made(api.ask("amy", "POST", `${v1}/projects`, { metadata: { name: "shop" } }));
  await made(api.ask("amy", "POST", `${v1}/projects`, { metadata: { name: "shop.web" } }));
});

async function made(answer: ReturnType<Api["ask"]>) {
  const { status, text, body } = await answer;
  expect(status, text).toBe(200);
  return body;
}

const bind = (spec: object, project?: string, name = "b") =>
  api.ask("amy", "POST", `${v1}/role_bindings`, {
    metadata: { name, ...(project ? { project } : {}) },
    spec,
  });

/** As somebody of tenant-a with these members of the token. */
async function asked(who: Partial<Principal>, method: string, path: string, body?: object) {
  const principal: Principal = { user: "zoe", tenant: "tenant-a", roles: [], ...who };
  const app = createApp(api.deps, { profile: "slipway", principal: () => principal });
  const answer = await app.request(path, {
    method,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return answer.status;
}

const some = (count: number, name: string) =>
  Array.from({ length: count }, (_, n) => `${name}-${n}`);

it("a binding has 40 users and groups at most, and a membership 40 users", async () => {
  const role = "tenant-admin";
  for (const [users, groups, status] of [
    [20, 20, 200],
    [20, 21, 400],
    [41, 0, 400],
    [0, 41, 400],
  ] as const) {
    const spec = { role, users: some(users, "user"), groups: some(groups, "group") };
    expect((await bind(spec)).status, `${users} and ${groups}`).toBe(status);
  }
  const member = (users: number) =>
    api.ask("amy", "POST", `${v1}/project_memberships`, {
      metadata: { name: "m", project: "shop" },
      spec: { role: "PROJECT_MEMBERSHIP_ROLE_VIEWER", users: some(users, "user") },
    });
  expect([(await member(41)).status, (await member(40)).status]).toEqual([400, 200]);
});

describe("a binding", () => {
  it("gives a user a role in the whole tenant, until it goes", async () => {
    const webhook = { metadata: { name: "w" }, spec: { url: "https://hooks.example.com/" } };
    expect(await asked({}, "POST", `${v1}/webhooks`, webhook)).toBe(403);
    const { id } = await made(bind({ role: "tenant-admin", users: ["zoe"] }));
    expect(await asked({}, "POST", `${v1}/webhooks`, webhook)).toBe(200);
    expect(await asked({ user: "yan" }, "GET", `${v1}/webhooks`)).toBe(403);
    expect(await asked({ tenant: "tenant-b" }, "GET", `${v1}/webhooks`)).toBe(403);
    expect(await asked({}, "GET", `${priv}/clusters`)).toBe(403);
    await made(api.ask("amy", "DELETE", `${v1}/role_bindings/${id}`));
    expect(await asked({}, "GET", `${v1}/webhooks`)).toBe(403);
  });

  it("gives the members of a group a role in a project and below, and no other", async () => {
    await made(bind({ role: { name: "project-manager" }, groups: ["devs"] }, "shop"));
    const groups = ["others", "devs"];
    const inside = order("one", {}, { project: "shop.web" });
    expect(await asked({ groups }, "POST", `${v1}/clusters`, inside)).toBe(200);
    expect(await asked({ groups }, "POST", `${v1}/clusters`, order("two"))).toBe(403);
    for (const who of [{ groups: ["others"] }, { groups, tenant: "tenant-b" }]) {
      const refused = order("three", {}, { project: "shop" });
      expect(await asked(who, "POST", `${v1}/clusters`, refused)).toBe(403);
    }
  });

  it("adds to what a token and memberships give", async () => {
    await made(bind({ role: "project-viewer", users: ["zoe"] }, "shop"));
    const membership = { role: "PROJECT_MEMBERSHIP_ROLE_MANAGER", users: ["zoe"] };
    await made(
      api.ask("amy", "POST", `${v1}/project_memberships`, {
        metadata: { name: "m", project: "shop.web" },
        spec: membership,
      }),
    );
    const at = (project: string, name: string) =>
      asked({}, "POST", `${v1}/clusters`, order(name, {}, { project }));
    expect([await at("shop.web", "one"), await at("shop", "two")]).toEqual([200, 403]);
    expect(await asked({ roles: ["tenant-user"] }, "POST", `${v1}/clusters`, order("three"))).toBe(
      200,
    );
  });

  it("takes roles from those that a change leaves out, and gives them to the new", async () => {
    const { id } = await made(bind({ role: "tenant-admin", users: ["zoe"], groups: ["devs"] }));
    const change = { spec: { users: ["yan"], groups: [] } };
    const { spec } = await made(api.ask("amy", "PATCH", `${v1}/role_bindings/${id}`, change));
    expect(spec).toMatchObject({ users: [{ id: "yan", name: "yan" }], groups: [] });
    const may = async (who: Partial<Principal>) => (await asked(who, "GET", `${v1}/users`)) === 200;
    expect([await may({}), await may({ groups: ["devs"] }), await may({ user: "yan" })]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("makes a provider's viewer of a tenant's user only by the provider's word", async () => {
    const spec = { role: "provider-viewer", users: ["zoe"] };
    expect((await bind(spec)).body.errors[0].field).toBe("spec.role");
    const metadata = { name: "v", tenant: "tenant-a" };
    const { id } = await made(
      api.ask("admin", "POST", `${priv}/role_bindings`, { metadata, spec }),
    );
    expect(await asked({}, "GET", `${priv}/hubs`)).toBe(200);
    expect(await asked({}, "POST", `${priv}/hubs`, {})).toBe(403);
    const change = { spec: { users: ["zoe", "amy"] } };
    const refused = await api.ask("amy", "PATCH", `${v1}/role_bindings/${id}`, change);
    expect(refused.body.errors[0].field).toBe("spec.role");
  });

  it("makes nobody the provider's whose issuer is of some tenants only", async () => {
    const metadata = { name: "v", tenant: "tenant-a" };
    const spec = { role: "provider-viewer", users: ["zoe"], groups: ["auditors"] };
    await made(api.ask("admin", "POST", `${priv}/role_bindings`, { metadata, spec }));
    for (const who of [{}, { user: "yan", groups: ["auditors"] }]) {
      expect(await asked(who, "GET", `${priv}/hubs`)).toBe(200);
      const restricted = { ...who, isRestricted: true as const };
      expect(await asked(restricted, "GET", `${priv}/hubs`)).toBe(403);
      expect(await asked(restricted, "GET", `${v1}/tenants`)).toBe(403);
    }
    await made(bind({ role: "tenant-admin", users: ["zoe"] }));
    expect(await asked({ isRestricted: true }, "GET", `${v1}/users`)).toBe(200);
  });

  it("gives a portal nothing that acts for the user", async () => {
    const metadata = { name: "v", tenant: "tenant-a" };
    for (const [n, role] of ["provider-viewer", "tenant-admin"].entries()) {
      const body = { metadata: { ...metadata, name: `b${n}` }, spec: { role, users: ["zoe"] } };
      await made(api.ask("admin", "POST", `${priv}/role_bindings`, body));
    }
    const service_accounts = [{ user: "shop", role: "tenant-user" }];
    const tenant = { spec: { service_accounts } };
    await made(api.ask("admin", "PATCH", `${priv}/tenants/tenant-a`, tenant));
    const portal: Principal = { user: "shop", tenant: "", roles: ["portal"] };
    const app = createApp(api.deps, { profile: "slipway", principal: () => portal });
    const headers = {
      "Slipway-On-Behalf-Of": "tenant-a",
      "Slipway-On-Behalf-Of-User": "zoe",
    };
    const status = async (path: string) => (await app.request(path, { headers })).status;
    expect(await status(`${v1}/clusters`)).toBe(200);
    expect(await status(`${v1}/users`)).toBe(403);
    expect(await status(`${priv}/hubs`)).toBe(403);
  });

  it.each([
    ["a role that is not there", { role: "nobody", users: ["zoe"] }, undefined, "spec.role"],
    ["nobody", { role: "tenant-admin" }, undefined, "spec.users"],
    ["a user without a name", { role: "tenant-admin", users: [{}] }, undefined, "spec.users[0]"],
    [
      "a role of projects in none",
      { role: "project-viewer", users: ["z"] },
      undefined,
      "metadata.project",
    ],
    [
      "a role of tenants in a project",
      { role: "tenant-admin", users: ["z"] },
      "shop",
      "metadata.project",
    ],
    [
      "a project that is not there",
      { role: "project-viewer", users: ["z"] },
      "no",
      "metadata.project",
    ],
  ])("is refused with %s", async (_, spec, project, field) => {
    const { status, body } = await bind(spec, project);
    expect({ status, field: body.errors[0].field }).toEqual({ status: 400, field });
  });

  it("is of a tenant", async () => {
    const body = { metadata: { name: "b" }, spec: { role: "tenant-admin", users: ["zoe"] } };
    const answer = await api.ask("admin", "POST", `${priv}/role_bindings`, body);
    expect(answer.body.errors[0].field).toBe("metadata.tenant");
  });
});

describe("a member of a tenant who is in no project", () => {
  it("finds nothing in what projects have, and may do nothing", async () => {
    const inside = order("one", {}, { project: "shop" });
    const { id } = await made(api.ask("amy", "POST", `${v1}/clusters`, inside));
    const zoe: Principal = { user: "zoe", tenant: "tenant-a", roles: [] };
    const app = createApp(api.deps, { profile: "slipway", principal: () => zoe });
    const inProjects = ["clusters", "operations", "projects", "project_memberships", "quotas"];
    for (const kind of [...inProjects, "role_bindings", "secrets"]) {
      const answer = await app.request(`${v1}/${kind}`);
      const listed = { status: answer.status, body: await answer.json() };
      expect(listed, kind).toEqual({ status: 200, body: { size: 0, total: 0, items: [] } });
      const query = "filter=this.metadata.name+!=+'x'&order=metadata.name";
      expect(await asked({}, "GET", `${v1}/${kind}?${query}`), kind).toBe(200);
      expect(await asked({}, "GET", `${v1}/${kind}?page_token=x`), kind).toBe(400);
    }
    expect(await asked({}, "GET", `${v1}/clusters/${id}`)).toBe(404);
    for (const kind of ["users", "webhooks", "identity_providers", "cluster_templates"])
      expect(await asked({}, "GET", `${v1}/${kind}`), kind).toBe(403);
    expect(await asked({}, "GET", `${priv}/clusters`)).toBe(403);
    expect(await asked({}, "DELETE", `${v1}/clusters/${id}`)).toBe(403);
    expect(await asked({}, "POST", `${v1}/clusters`, inside)).toBe(403);
    expect(await asked({ roles: ["portal"] }, "GET", `${v1}/clusters`)).toBe(403);
    const spec = { username: "zoe", enabled: false };
    await made(api.ask("amy", "POST", `${v1}/users`, { metadata: { name: "zoe" }, spec }));
    expect(await asked({}, "GET", `${v1}/clusters`)).toBe(403);
  });
});

describe("a role", () => {
  it("stands for one of the table, under a name of the provider's", async () => {
    const own = { metadata: { name: "boss" }, spec: { title: "Boss", grants: "tenant-admin" } };
    await made(api.ask("admin", "POST", `${priv}/roles`, own));
    await made(bind({ role: "boss", users: ["zoe"] }));
    expect(await asked({}, "GET", `${v1}/users`)).toBe(200);
    const seen = await made(api.ask("ann", "GET", `${v1}/roles/boss`));
    expect(seen.spec).toEqual({ title: "Boss", grants: "tenant-admin" });
    expect((await api.ask("amy", "POST", `${v1}/roles`, own)).status).toBe(403);
  });

  it("is refused when it stands for nothing, or for an administrator of the provider", async () => {
    for (const spec of [{}, { grants: "provider-admin" }]) {
      const body = { metadata: { name: "x" }, spec };
      const { status, body: said } = await api.ask("admin", "POST", `${priv}/roles`, body);
      expect({ status, field: said.errors[0].field }).toEqual({
        status: 400,
        field: "spec.grants",
      });
    }
  });

  it("stays what it is, and stays while it is bound", async () => {
    const change = { spec: { grants: "tenant-user" } };
    const refused = await api.ask("admin", "PATCH", `${priv}/roles/tenant-admin`, change);
    expect(refused.body.errors[0].message).toMatch(/immutable/);
    const { id } = await made(bind({ role: "tenant-admin", users: ["zoe"] }));
    const inUse = await api.ask("admin", "DELETE", `${priv}/roles/tenant-admin`);
    expect(inUse.body.message).toMatch(`in use by role binding 'b' (${id})`);
    expect(inUse.body.in_use).toEqual([
      { kind: "role_binding", count: 1, objects: [{ id, name: "b" }] },
    ]);
    await made(api.ask("amy", "DELETE", `${v1}/role_bindings/${id}`));
    await made(api.ask("admin", "DELETE", `${priv}/roles/tenant-admin`));
  });

  it("has OSAC's members only in the osac profile", async () => {
    const accept = { Accept: "application/json;profile=osac" };
    const role = await api.ask("ann", "GET", `${v1}/roles/tenant-admin`, undefined, accept);
    expect(role.body.spec).toEqual({});
    const { id } = await made(bind({ role: "tenant-admin", users: ["zoe"], groups: ["g"] }));
    const path = `${v1}/role_bindings/${id}`;
    const binding = await api.ask("ann", "GET", path, undefined, accept);
    expect(binding.body.spec).toEqual({
      role: { id: "tenant-admin", name: "tenant-admin" },
      users: [{ id: "zoe", name: "zoe" }],
    });
    expect(binding.body.status).toEqual({ state: "ROLE_BINDING_STATE_READY" });
  });
});

describe("a user", () => {
  const create = (name: string, spec: object = {}) =>
    api.ask("amy", "POST", `${v1}/users`, { metadata: { name }, spec });

  it("may do nothing while disabled, whatever the token says", async () => {
    const { id } = await made(create("zoe", { username: "zoe@example.com" }));
    const zoe = { user: "zoe@example.com", roles: ["tenant-admin" as const] };
    expect(await asked(zoe, "GET", `${v1}/clusters`)).toBe(200);
    await made(api.ask("amy", "PATCH", `${v1}/users/${id}`, { spec: { enabled: false } }));
    expect(await asked(zoe, "GET", `${v1}/clusters`)).toBe(403);
    expect(await asked({ ...zoe, tenant: "tenant-b" }, "GET", `${v1}/clusters`)).toBe(200);
    await made(api.ask("amy", "DELETE", `${v1}/users/${id}`));
    expect(await asked(zoe, "GET", `${v1}/clusters`)).toBe(200);
  });

  it("is what it is by the provider's word, whatever a tenant writes down", async () => {
    const spec = { username: "root@example.com", enabled: false };
    await made(create("root", spec));
    const roles: Principal["roles"] = ["provider-admin", "tenant-admin"];
    const root = { user: "root@example.com", roles };
    expect(await asked(root, "GET", `${priv}/hubs`)).toBe(200);
    expect(await asked(root, "GET", `${v1}/users`)).toBe(200);
    const tenantAdmin = { ...root, roles: ["tenant-admin" as const] };
    expect(await asked(tenantAdmin, "GET", `${v1}/users`)).toBe(403);
    const metadata = { name: "v", tenant: "tenant-a" };
    const bound = { role: "provider-viewer", users: ["root@example.com"] };
    await made(api.ask("admin", "POST", `${priv}/role_bindings`, { metadata, spec: bound }));
    expect(await asked({ ...root, roles: [] }, "GET", `${priv}/hubs`)).toBe(403);
  });

  it("is meant by its record's name in bindings and memberships", async () => {
    await made(create("zoe", { username: "zoe@example.com" }));
    const binding = await made(bind({ role: "tenant-admin", users: [{ name: "zoe" }] }));
    expect(binding.spec.users).toEqual([{ id: "zoe@example.com", name: "zoe@example.com" }]);
    expect(await asked({ user: "zoe@example.com" }, "GET", `${v1}/users`)).toBe(200);
    expect(await asked({ user: "zoe" }, "GET", `${v1}/users`)).toBe(403);
    const { spec } = await made(
      api.ask("amy", "POST", `${v1}/project_memberships`, {
        metadata: { name: "m", project: "shop" },
        spec: { role: "PROJECT_MEMBERSHIP_ROLE_VIEWER", users: ["zoe"] },
      }),
    );
    expect(spec.users).toEqual(binding.spec.users);
  });

  it("has a name in tokens of its own, which a change sets free", async () => {
    const { id } = await made(create("one", { username: "zoe" }));
    expect((await create("two", { username: "zoe" })).body.errors[0].field).toBe("spec.username");
    await made(api.ask("amy", "PATCH", `${v1}/users/${id}`, { spec: { username: "yan" } }));
    await made(create("two", { username: "zoe" }));
  });

  it("has no password here", async () => {
    const { status, body } = await create("zoe", { credentials: { password: "x" } });
    expect({ status, field: body.errors[0].field }).toEqual({
      status: 400,
      field: "spec.credentials",
    });
  });
});
