import { beforeEach, describe, expect, it } from "vitest";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { type Kind, pluralOf } from "../../../core/kernel/object/object.ts";
import { rolesFor } from "../../../functions/api/permissions.ts";
import { type Api, catalogApi, order, type Person, priv, v1 } from "../../support/api.ts";
import { type Ids, oneOfEach } from "../../support/one-of-each.ts";

/** What is only tried: judged as if it were meant, answered as it would be, and not done. */

let api: Api;
let ids: Ids;
beforeEach(async () => {
  api = await catalogApi();
  ids = await oneOfEach(api);
});

const dry = [
  ["?dry_run=true", {}],
  ["?dryRun=true", {}],
  ["?dry_run", {}],
  ["", { "X-Dry-Run": "True" }],
] as const;

const changeable = [
  "cluster_template",
  "cluster_version",
  "host_type",
  "tenant",
  "project",
  "project_membership",
  "quota",
  "cluster_catalog_item",
  "baremetal_instance_catalog_item",
  "webhook",
  "user",
  "role_binding",
  "identity_provider",
  "secret",
  "site",
  "hub",
  "host",
  "cluster",
] as const;

const who = (kind: Kind, verb: "update" | "delete"): [Person, string] =>
  rolesFor("public", kind, verb).includes("tenant-admin") ? ["amy", v1] : ["admin", priv];

describe.each(changeable)("a change of a %s that is only tried", (kind) => {
  const ask = (verb: "update" | "delete", query = "", headers = {}) => {
    const [person, base] = who(kind, verb);
    const path = `${base}/${pluralOf(kind)}/${ids[kind]}${query}`;
    return verb === "update"
      ? api.ask(person, "PATCH", path, { metadata: { labels: { tried: "yes" } } }, headers)
      : api.ask(person, "DELETE", path, undefined, headers);
  };

  it.each(dry)("answers what would be, and stores nothing (%s %o)", async (query, headers) => {
    const before = api.dump();
    const tried = await ask("update", query, headers);
    expect(tried.status, tried.text).toBe(200);
    expect(tried.body.metadata.labels).toEqual({ tried: "yes" });
    expect(tried.headers.has("ETag")).toBe(false);
    expect(api.dump()).toBe(before);
    expect((await ask("update")).body).toEqual(tried.body);
  });

  it.each(dry)("takes nothing away (%s %o)", async (query, headers) => {
    const before = api.dump();
    const tried = await ask("delete", query, headers);
    expect(tried.headers.has("Operation-Location")).toBe(false);
    expect(api.dump()).toBe(before);
    const meant = await ask("delete");
    const said = ({ status, body }: typeof meant) => ({ status, ...body, request_id: "" });
    expect(said(tried)).toEqual(said(meant));
  });
});

/** As its first operation leaves it. */
const ready = () =>
  changeObject(api.deps, "cluster", ids.cluster ?? "", ({ operation: _, ...cluster }) => ({
    ...cluster,
    published: true,
    applied: cluster.spec.node_sets,
  }));

describe("a change of a cluster's size that is only tried", () => {
  const resize = (size: number, query = "?dry_run=true") =>
    api.ask("ann", "PATCH", `${v1}/clusters/${ids.cluster}${query}`, {
      spec: {
        node_sets: {
          workers: { host_type: "small", size },
          gpu: { host_type: "large", size: 1 },
        },
      },
    });

  it("starts no operation, and names none", { tags: "smoke" }, async () => {
    await ready();
    const before = api.dump();
    const { status, body, headers, text } = await resize(3);
    expect(status, text).toBe(200);
    expect(body.spec.node_sets.workers.size).toBe(3);
    expect(body.status).not.toHaveProperty("operation");
    expect(headers.has("Operation-Location")).toBe(false);
    expect(api.dump()).toBe(before);
  });

  it("names the operation that runs, and not the one that would wait", {
    tags: "smoke",
  }, async () => {
    const { body } = await resize(3);
    expect(body.status.operation).toBe(ids.operation);
    expect(body.status).not.toHaveProperty("queued_operation");
  });

  it("is judged by the quota", { tags: "smoke" }, async () => {
    const limits = { hosts: { small: 3 } };
    await api.ask("admin", "POST", `${priv}/quotas`, {
      metadata: { name: "all", tenant: "tenant-a" },
      spec: { limits },
    });
    expect(await resize(9)).toMatchObject({ status: 403, body: { code: 8 } });
    expect(await resize(3)).toMatchObject({ status: 200 });
  });
});

it("refuses what is in use, as the deletion itself would be", { tags: "smoke" }, async () => {
  const path = `${priv}/cluster_templates/ocp_small`;
  const tried = await api.ask("admin", "DELETE", `${path}?dry_run=true`);
  const meant = await api.ask("admin", "DELETE", path);
  expect(tried.status).toBe(400);
  expect(tried.body.message).toBe(meant.body.message);
});

it("is judged against the version that is named", { tags: "smoke" }, async () => {
  const path = `${v1}/projects/${ids.project}?dry_run=true`;
  for (const [method, body] of [
    ["PATCH", {}],
    ["DELETE", undefined],
  ] as const)
    expect((await api.ask("amy", method, path, body, { "If-Match": '"7"' })).status).toBe(412);
});

it("leaves the secrets alone that a change would replace", { tags: "smoke" }, async () => {
  const path = `${v1}/secrets/${ids.secret}?dry_run=true`;
  const before = [...api.deps.secretValues];
  expect((await api.ask("amy", "PATCH", path, { data: { a: "Yg==" } })).status).toBe(200);
  expect((await api.ask("amy", "DELETE", path)).status).toBe(200);
  expect([...api.deps.secretValues]).toEqual(before);
});

it("answers a chosen id, and no other", { tags: "smoke" }, async () => {
  const chosen = { id: "chosen", ...order("two") };
  const tried = (body: object) => api.ask("admin", "POST", `${priv}/clusters?dry_run=true`, body);
  expect((await tried(chosen)).body.id).toBe("chosen");
  expect((await tried(order("two"))).body).not.toHaveProperty("id");
});

it.each([
  ["?dry_run=yes", {}, "dry_run"],
  ["?dry_run=true&dry_run=false", {}, "dry_run"],
  ["?dry_run=false&dryRun=true", {}, "dry_run"],
  ["", { "X-Dry-Run": "yes" }, "X-Dry-Run"],
])("is not done when it is unclear whether it is meant (%s %o)", async (query, headers, field) => {
  const before = api.dump();
  for (const [method, path, body] of [
    ["POST", `${v1}/clusters`, order("two")],
    ["PATCH", `${v1}/projects/${ids.project}`, { spec: { title: "T" } }],
    ["DELETE", `${v1}/projects/${ids.project}`, undefined],
  ] as const)
    expect(await api.ask("amy", method, path + query, body, headers)).toMatchObject({
      status: 400,
      body: { errors: [{ field }] },
    });
  expect(api.dump()).toBe(before);
});
