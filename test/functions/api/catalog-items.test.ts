import { beforeEach, describe, expect, it } from "vitest";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { type Api, catalogApi, order, type Person, priv, v1 } from "../../support/api.ts";
import { sshKey } from "../../support/orders.ts";

/** Offers over templates: what an order by one may say. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
});

const fields = (body: { errors: { field: string }[] }) => body.errors.map(({ field }) => field);
const definitions = [
  { path: "template_parameters.owner", editable: true, validation_schema: '{"maxLength":5}' },
  {
    path: "template_parameters.vlan",
    editable: true,
    default: 7,
    validation_schema: '{"type":"integer","maximum":9}',
  },
  {
    path: "node_sets.workers.size",
    editable: true,
    default: 2,
    validation_schema: '{"minimum":2,"maximum":4}',
  },
  { path: "node_sets.gpu", default: { size: 1 } },
  { path: "version", default: { name: "4-17-0" } },
];
const item = (name: string, more: object = {}, metadata: object = {}) => ({
  id: name,
  metadata: { name, ...metadata },
  title: "Small",
  template: { name: "ocp-small" },
  published: true,
  field_definitions: definitions,
  ...more,
});
const offer = (name: string, more: object = {}, metadata: object = {}) =>
  api.ask("admin", "POST", `${priv}/cluster_catalog_items`, item(name, more, metadata));
const post = (spec: object, person: Person = "ann") =>
  api.ask(person, "POST", `${v1}/clusters`, { metadata: { name: "one" }, spec });
const listed = async (person: Person, query = "") =>
  (await api.ask(person, "GET", `${v1}/cluster_catalog_items${query}`)).body.items.map(
    ({ id }: { id: string }) => id,
  );

describe("an order by catalog item", () => {
  beforeEach(async () => {
    const { status, text } = await offer("small");
    expect(status, text).toBe(200);
  });

  it("gets the template and what is fixed or left out from it", async () => {
    const { status, body } = await post({
      catalog_item: "small",
      template_parameters: { owner: "ann" },
      node_sets: { workers: { size: 3 } },
    });
    expect(status).toBe(200);
    expect(body.spec).toMatchObject({
      catalog_item: { id: "small", name: "small" },
      template: { id: "ocp_small", name: "ocp-small" },
      template_parameters: { owner: "ann", vlan: 7 },
      node_sets: { workers: { size: 3 }, gpu: { size: 1 } },
      version: { name: "4-17-0" },
    });
    const again = await api.ask("ann", "PATCH", `${v1}/clusters/${body.id}`, body);
    expect(again.status, again.text).toBe(200);
  });

  it("is refused with all that it may not set, and all that is wrong of what it may", async () => {
    const { status, body } = await post({
      catalog_item: { name: "small" },
      ssh_public_key: sshKey("ann"),
      version: "4-17-0",
      node_sets: { workers: { size: 5 }, gpu: { size: 1 } },
      template_parameters: {
        vlan: { "@type": "type.googleapis.com/google.protobuf.Int64Value", value: "10" },
      },
    });
    expect(status).toBe(400);
    expect(
      body.errors.map(
        ({ field, message }: { field: string; message: string }) => `${field}: ${message}`,
      ),
    ).toEqual([
      "spec.node_sets.gpu.size: field 'node_sets.gpu' is not editable",
      "spec.node_sets.workers.size: validation failed for field 'node_sets.workers.size': must be <=4",
      "spec.ssh_public_key: field 'ssh_public_key' is not allowed by the catalog item",
      "spec.template_parameters.owner: field 'template_parameters.owner' is required but no value was provided and no default is defined",
      "spec.template_parameters.vlan: validation failed for field 'template_parameters.vlan': must be <=9",
      "spec.version: field 'version' is not editable",
    ]);
    const both = await post({ ...order("x").spec, catalog_item: "small" });
    expect(fields(both.body)).toContain("spec.catalog_item");
  });

  it("keeps later changes within the offer", async () => {
    const { body } = await post({ catalog_item: "small", template_parameters: { owner: "ann" } });
    const resized = (name: string, size: number) =>
      api.ask("ann", "PATCH", `${v1}/clusters/${body.id}?update_mask=spec.node_sets.${name}.size`, {
        spec: { node_sets: { [name]: { size } } },
      });
    expect(fields((await resized("gpu", 2)).body)).toEqual(["spec.node_sets.gpu.size"]);
    expect(fields((await resized("workers", 5)).body)).toEqual(["spec.node_sets.workers.size"]);
    expect((await resized("workers", 4)).status).toBe(200);
    await api.ask("admin", "POST", `${priv}/cluster_versions`, {
      id: "4-18-0",
      metadata: { name: "4-18-0" },
      spec: { version: "4.18.0", image: "quay.io/ocp:4.18.0" },
    });
    const upgraded = await api.ask("ann", "PATCH", `${v1}/clusters/${body.id}`, {
      spec: { version: "4-18-0" },
    });
    expect(fields(upgraded.body)).toEqual(["spec.version"]);
    const other = await api.ask("ann", "PATCH", `${v1}/clusters/${body.id}`, {
      spec: { catalog_item: null },
    });
    expect(fields(other.body)).toContain("spec.catalog_item");
  });

  it("keeps node sets that come later within the offer, with what is fixed of them", async () => {
    await api.ask("admin", "PATCH", `${priv}/cluster_templates/ocp_small`, {
      allowed_host_types: ["small", "large"],
    });
    await offer("sized", {
      field_definitions: [
        { path: "template_parameters.owner", editable: true },
        { path: "node_sets.gpu.size", editable: true, default: 1 },
        { path: "node_sets.gpu.host_type", default: { name: "small" } },
      ],
    });
    const { body } = await post({ catalog_item: "sized", template_parameters: { owner: "ann" } });
    const { workers, gpu } = body.spec.node_sets;
    expect(gpu.host_type.name).toBe("small");
    await changeObject(api.deps, "cluster", body.id, ({ applying: _, ...each }) => ({
      ...each,
      spec: { ...each.spec, node_sets: { workers } },
    }));
    const changed = (more: object) =>
      api.ask("ann", "PATCH", `${v1}/clusters/${body.id}`, {
        spec: { node_sets: { workers, ...more } },
      });
    const large = await changed({ gpu: { size: 1, host_type: "large" } });
    expect(fields(large.body)).toEqual(["spec.node_sets.gpu.host_type"]);
    const another = await changed({ more: { size: 1, host_type: "small" } });
    expect(fields(another.body)).toEqual([
      "spec.node_sets.more.host_type",
      "spec.node_sets.more.size",
    ]);
    const back = await changed({ gpu: { size: 2 } });
    expect(back.body.spec.node_sets.gpu).toMatchObject({ host_type: { name: "small" }, size: 2 });
  });

  it("keeps the item while the cluster is there", async () => {
    await post({ catalog_item: "small", template_parameters: { owner: "ann" } });
    const { body } = await api.ask("admin", "DELETE", `${priv}/cluster_catalog_items/small`);
    expect(body).toMatchObject({ status: 400, code: 9 });
    expect(body.message).toContain("in use by 1 cluster");
  });
});

describe("a catalog item", () => {
  it("is there for whom it is published", async () => {
    await offer("open");
    await offer("draft", { published: false });
    await offer("theirs", { tenants: ["tenant-b"] });
    expect(await listed("ann")).toEqual(["open"]);
    expect(await listed("bob")).toEqual(["open", "theirs"]);
    expect(await listed("ann", "?filter=!this.published")).toEqual([]);
    const missing = await api.ask("ann", "GET", `${v1}/cluster_catalog_items/none`);
    for (const id of ["draft", "theirs"]) {
      const { status, body } = await api.ask("ann", "GET", `${v1}/cluster_catalog_items/${id}`);
      expect(status).toBe(404);
      expect(body.message).toBe(missing.body.message.replace("none", id));
      const refused = await post({ catalog_item: id, template_parameters: { owner: "a" } });
      expect(refused.body.errors[0].message).toBe(`ClusterCatalogItem "${id}" not found`);
    }
    const { body } = await api.ask("bob", "GET", `${v1}/cluster_catalog_items/theirs`);
    expect(body).not.toHaveProperty("tenants");
    expect(
      (await post({ catalog_item: "theirs", template_parameters: { owner: "a" } }, "bob")).status,
    ).toBe(200);
  });

  it("of a tenant is made and published by its administrators, for nobody else", async () => {
    const path = `${v1}/cluster_catalog_items`;
    const made = await api.ask(
      "amy",
      "POST",
      path,
      item("own", { id: undefined, published: false }),
    );
    expect(made.body).toMatchObject({ metadata: { tenant: "tenant-a" }, published: false });
    const own = `${path}/${made.body.id}`;
    expect(await listed("amy")).toEqual([]);
    expect(await listed("amy", "?filter=this.published == false")).toEqual([made.body.id]);
    expect(fields((await post({ catalog_item: "own" })).body)).toContain("spec.catalog_item");
    expect((await api.ask("ann", "PATCH", own, { published: true })).status).toBe(403);
    expect((await api.ask("amy", "PATCH", own, { published: true })).status).toBe(200);
    expect(await listed("ann")).toEqual([made.body.id]);
    expect(await listed("bob")).toEqual([]);
    await offer("shared");
    expect((await api.ask("amy", "PATCH", `${path}/shared`, { published: false })).status).toBe(
      403,
    );
    expect((await api.ask("amy", "DELETE", `${path}/shared`)).status).toBe(403);
  });

  it("is refused with everything that is wrong", async () => {
    const { body } = await offer("bad", {
      template: "none",
      field_definitions: [
        { path: "template" },
        { path: "version" },
        { path: "node_sets.workers", default: { size: "many" } },
        { path: "node_sets.workers.size", editable: true },
        { path: "pull_secret", default: "x" },
        { path: "network", editable: true, validation_schema: '{"type":"string"}' },
        { path: "ssh_public_key", editable: true, validation_schema: "{" },
        { path: "network.pod_cidr", editable: true, validation_schema: '{"properties":{}}' },
        {
          path: "template_parameters.a",
          editable: true,
          default: 5,
          validation_schema: '{"maximum":4}',
        },
      ],
    });
    expect(fields(body)).toEqual([
      "field_definitions[0].path",
      "field_definitions[1].default",
      "field_definitions[2].default",
      "field_definitions[3].path",
      "field_definitions[4].default",
      "field_definitions[5].validation_schema",
      "field_definitions[6].validation_schema",
      "field_definitions[7].path",
      "field_definitions[7].validation_schema",
      "field_definitions[8].default",
      "template",
    ]);
    const targeted = await api.ask(
      "amy",
      "POST",
      `${v1}/cluster_catalog_items`,
      item("x", { id: undefined, tenants: ["tenant-b"] }),
    );
    expect(fields(targeted.body)).toEqual(["tenants"]);
  });
});
