import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../core/kernel/input/shape.ts";
import { slotsKey } from "../../../core/kernel/object/hub-keys.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import { archive, mustLoad } from "../../../core/kernel/object/records.ts";
import { createObject, deleteObject, updateObject } from "../../../core/kernel/request/crud.ts";
import { clusterTemplates } from "../../../core/resources/cluster-template/api.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { apiOf } from "../../../functions/api/schemas.ts";
import { type Api, catalogApi, order, priv, v1 } from "../../support/api.ts";
import { createCluster } from "../../support/clusters.ts";
import { interrupted } from "../../support/interrupted-store.ts";
import { bodies, makeNeeded } from "../../support/one-of-each.ts";
import { wanted } from "../../support/wanted.ts";

/** Nothing goes that others need. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
});

const admin = (method: string, path: string, body?: unknown) =>
  api.ask("admin", method, `${priv}/${path}`, body);

async function expectInUse(path: string, users: string) {
  const before = api.dump();
  const { status, body } = await admin("DELETE", path);
  expect({ status, code: body.code }).toEqual({ status: 400, code: 9 });
  expect(body.message).toMatch(new RegExp(`in use by ${users}$`));
  expect(api.dump()).toBe(before);
}
const expectGone = async (path: string) => {
  expect(await admin("DELETE", path)).toMatchObject({ status: 200, body: {} });
};

/** As the end of its deletion does. */
async function archived(id: string) {
  const cluster = await mustLoad(api.deps, "cluster", id);
  await api.deps.store.transact(archive(kinds, cluster, api.deps.clock.now()));
}

const ordered = async (name: string, spec: object = {}) =>
  (await api.ask("ann", "POST", `${v1}/clusters`, order(name, spec))).body.id;

describe("a version", () => {
  it("stays while clusters use it, and goes after them", async () => {
    const ids = [await ordered("one"), await ordered("two")];
    await expectInUse("cluster_versions/4-17-0", "2 clusters");
    for (const id of ids) await archived(id);
    await expectGone("cluster_versions/4-17-0");
  });

  it("stays while a template names it", async () => {
    await admin("PATCH", "cluster_templates/ocp_small", { spec_defaults: { version: "4-17-0" } });
    await admin("PATCH", "cluster_templates/ocp_small", { title: "Other" });
    await expectInUse("cluster_versions/4-17-0", "1 cluster template");
    await admin("PATCH", "cluster_templates/ocp_small", { spec_defaults: { version: null } });
    await expectGone("cluster_versions/4-17-0");
  });
});

describe("a host type", () => {
  it("stays while a template names it, as its own or as a choice", async () => {
    await expectInUse("host_types/small", "1 cluster template");
    await admin("PATCH", "cluster_templates/ocp_small", {
      node_sets: { workers: { host_type: "large", size: 2 } },
      allowed_host_types: ["small"],
    });
    await expectInUse("host_types/small", "1 cluster template");
    await admin("PATCH", "cluster_templates/ocp_small", { allowed_host_types: [] });
    await expectGone("host_types/small");
    await expectInUse("host_types/large", "1 cluster template");
    await expectGone("cluster_templates/ocp_small");
    await expectGone("host_types/large");
  });

  it("stays while clusters and hosts have it", async () => {
    await ordered("one");
    const kubeconfig = JSON.stringify({
      contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
      clusters: [{ name: "k", cluster: { server: "https://hub.example.com:6443" } }],
      users: [{ name: "u", user: { token: "t" } }],
    });
    await admin("POST", "hubs", {
      id: "hub-1",
      metadata: { name: "hub-1" },
      spec: { region: "eu", capacity: 5, base_domain: "example.com", kubeconfig },
    });
    const nics = [{ name: "eth0", mac: "52:54:00:00:00:01", switch: "leaf-1", port: "1" }];
    const bmc = { address: "redfish://10.0.0.1/1" };
    await admin("POST", "hosts", {
      id: "h1",
      metadata: { name: "h1" },
      spec: { host_type: "small", hub: "hub-1", bmc, nics },
    });
    await expectInUse("host_types/small", "1 cluster, 1 cluster template, 1 host");
    await admin("PATCH", "hosts/h1", { spec: { host_type: "large" } });
    await expectInUse("host_types/small", "1 cluster, 1 cluster template");
    await expectInUse("host_types/large", "1 cluster, 1 cluster template, 1 host");
    await admin("DELETE", "hosts/h1");
    await expectInUse("host_types/large", "1 cluster, 1 cluster template");
  });
});

describe("an id that is used again", () => {
  it("is open, as is the path of a project", async () => {
    const tiny = () => admin("POST", "host_types", { metadata: { name: "tiny" } });
    const shop = async () =>
      (await api.ask("amy", "POST", `${v1}/projects`, { metadata: { name: "shop" } })).body.id;
    await tiny();
    await expectGone("host_types/tiny");
    await tiny();
    const change = { allowed_host_types: ["tiny"] };
    expect((await admin("PATCH", "cluster_templates/ocp_small", change)).status).toBe(200);
    await expectGone(`projects/${await shop()}`);
    await shop();
    const body = { ...order("one"), metadata: { name: "one", project: "shop" } };
    expect((await api.ask("amy", "POST", `${v1}/clusters`, body)).status).toBe(200);
  });
});

describe("a template", () => {
  it("stays while a cluster is made from it, one that is being deleted included", async () => {
    const id = await ordered("one");
    await expectInUse("cluster_templates/ocp_small", "1 cluster");
    await api.ask("ann", "DELETE", `${v1}/clusters/${id}`);
    await expectInUse("cluster_templates/ocp_small", "1 cluster");
    await archived(id);
    await expectGone("cluster_templates/ocp_small");
  });

  it("names few enough host types to be counted", async () => {
    const names = Array.from({ length: 33 }, (_, n) => `type-${n}`);
    for (const name of names) await admin("POST", "host_types", { metadata: { name } });
    const template = (allowed: string[]) => ({
      metadata: { name: "many" },
      node_sets: { w: { host_type: "type-0", size: 1, allowed_host_types: allowed } },
    });
    const { body } = await admin("POST", "cluster_templates", template(names));
    expect(body.errors).toEqual([
      { field: "node_sets", message: "33 host types are named in all; 32 is the limit" },
    ]);
    const { status } = await admin("POST", "cluster_templates", template(names.slice(0, 32)));
    expect(status).toBe(200);
  });
});

describe("a hub and a site", () => {
  const added = async (kind: "site" | "hub" | "host", body: object = {}) => {
    const { status } = await admin("POST", `${kind}s`, { ...bodies[kind], ...body });
    expect(status).toBe(200);
  };

  it("stay while hosts are on the hub, and hubs at the site", async () => {
    for (const id of ["one", "two"]) await added("site", { id, metadata: { name: id } });
    await added("hub", { spec: { ...Object(bodies.hub).spec, site: "one" } });
    await expectInUse("sites/one", "hub 'hub-1'");
    await admin("PATCH", "hubs/hub-1", { spec: { site: "two" } });
    await expectGone("sites/one");
    await expectInUse("sites/two", "hub 'hub-1'");
    await makeNeeded(api, "host");
    await added("host", { id: "h1" });
    await expectInUse("hubs/hub-1", "1 host");
    for (const path of ["hosts/h1", "hubs/hub-1", "sites/two"]) await expectGone(path);
  });

  const uses = [
    ["site", "hub"],
    ["hub", "host"],
  ] as const;
  const rulesOf = (kind: "site" | "hub" | "host") => {
    const { rules } = apiOf<Kind>(kind);
    if (!rules) throw new Error(`a ${kind} cannot be written`);
    return rules;
  };
  const root = { user: "root", tenant: "", everywhere: true };
  /** A site, with a hub at it if hosts are registered. */
  const usedThere = async (used: "site" | "hub") => {
    await added("site", { id: "site-1" });
    if (used === "site") return;
    await added("hub");
    await makeNeeded(api, "host");
  };
  const bodyOf = (user: "hub" | "host") => ({
    ...bodies[user],
    id: `${user}-1`,
    ...(user === "hub" && { spec: { ...Object(bodies.hub).spec, site: "site-1" } }),
  });

  it.each(uses)("a %s that goes between the check and the write gets no %s", async (used, user) => {
    await usedThere(used);
    const store = interrupted(api.deps.store, () => expectGone(`${used}s/${used}-1`));
    const deps = { ...api.deps, store };
    await expect(createObject(deps, root, rulesOf(user), bodyOf(user))).rejects.toMatchObject({
      kind: "Invalid",
      violations: [{ field: `spec.${used}`, message: `no such ${used}` }],
    });
    const { items } = (await admin("GET", `${user}s`)).body;
    expect(items.map(({ id }: { id: string }) => id)).not.toContain(`${user}-1`);
  });

  it.each(uses)("a %s stays that gets a %s between the check and the write", async (used, user) => {
    await usedThere(used);
    const store = interrupted(api.deps.store, () => added(user, bodyOf(user)));
    const removal = deleteObject({ ...api.deps, store }, root, rulesOf(used), `${used}-1`);
    await expect(removal).rejects.toMatchObject({
      kind: "FailedPrecondition",
      message: expect.stringMatching(
        used === "site" ? "in use by hub 'hub-1'$" : "in use by 1 host$",
      ),
    });
  });
});

describe("what is deleted between an order's check and its acceptance", () => {
  const ann = { user: "ann", tenant: "tenant-a", everywhere: false };

  it.each(["cluster_templates/ocp_small", "cluster_versions/4-17-0"])(
    "%s cannot be used any more",
    async (path) => {
      const store = interrupted(api.deps.store, () => expectGone(path));
      await expect(createCluster({ ...api.deps, store }, ann, order("one"))).rejects.toMatchObject({
        kind: "Conflict",
      });
      expect((await api.ask("ann", "GET", `${v1}/clusters`)).body.total).toBe(0);
    },
  );

  it("cannot be named by a template", async () => {
    await admin("POST", "host_types", { metadata: { name: "tiny" } });
    const store = interrupted(api.deps.store, () => expectGone("host_types/tiny"));
    const merge = (current: JsonObject) => ({ ...current, allowed_host_types: ["tiny"] });
    const change = updateObject(
      { ...api.deps, store },
      { ...ann, everywhere: true },
      clusterTemplates,
      "ocp_small",
      wanted(merge),
    );
    await expect(change).rejects.toMatchObject({
      kind: "Invalid",
      violations: [{ field: "allowed_host_types[0]" }],
    });
  });

  it("stays at its site, a hub on which an order is placed meanwhile", async () => {
    const root = { ...ann, everywhere: true };
    const site = await admin("POST", "sites", { metadata: { name: "site-1" }, spec: {} });
    expect(site.status).toBe(200);
    const spec = { site: site.body.id };
    expect((await admin("POST", "hubs", { ...bodies.hub, id: "hub-2" })).status).toBe(200);
    const store = interrupted(api.deps.store, () =>
      api.deps.store.transact([{ update: slotsKey("hub-2"), add: { used: 1 } }]),
    );
    const { rules } = apiOf("hub");
    if (!rules) throw new Error("hubs cannot be written");
    const merge = (current: JsonObject) => ({
      ...current,
      spec: { ...Object(current.spec), ...spec },
    });
    const change = updateObject({ ...api.deps, store }, root, rules, "hub-2", wanted(merge));
    await expect(change).rejects.toMatchObject({
      kind: "Invalid",
      violations: [{ field: "spec.site", message: "cannot change while clusters are on the hub" }],
    });
  });

  it("stays when the order was faster", async () => {
    const store = interrupted(api.deps.store, () => ordered("one"));
    const root = { ...ann, everywhere: true };
    await expect(
      deleteObject({ ...api.deps, store }, root, clusterTemplates, "ocp_small"),
    ).rejects.toMatchObject({ kind: "FailedPrecondition" });
  });
});
