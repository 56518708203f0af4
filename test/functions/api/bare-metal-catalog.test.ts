import { beforeEach, expect, it } from "vitest";
import { type Api, catalogApi, priv, v1 } from "../../support/api.ts";

/** What servers can be ordered: instance types, templates of them, and offers. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
});

const type = (hardware: object = {}, more: object = {}) => ({
  metadata: { name: "big" },
  spec: {
    description: "A big one",
    hardware: { cpu: { cores: 32, threads_per_core: 2 }, memory: { total_gb: 512 }, ...hardware },
    ...more,
  },
});
const template = (more: object = {}) => ({
  metadata: { name: "rhel" },
  host_type: "big",
  parameters: [{ name: "owner", type: "string", required: true }],
  ...more,
});
const put = (kind: string, body: object) => api.ask("admin", "POST", `${priv}/${kind}`, body);
const fields = ({ body }: { body: { errors: { field: string }[] } }) =>
  body.errors.map(({ field }) => field);

it("a type says to the provider alone which host types serve it", async () => {
  const hardware = { cpus: 64, memory_gib: 512 };
  await put("host_types", { metadata: { name: "metal", labels: { pool: "gold" } }, hardware });
  const selector = { host_label_selector: { match_labels: { pool: "gold" } } };
  expect((await put("bare_metal_instance_types", type({}, selector))).status).toBe(200);

  const { body } = await api.ask("admin", "GET", `${priv}/bare_metal_instance_types/big`);
  expect(body.status.host_types).toEqual([{ name: "metal", total: 0, free: 0 }]);
  const seen = await api.ask("ann", "GET", `${v1}/bare_metal_instance_types/big`);
  expect(seen.body.spec.hardware.memory).toEqual({ total_gb: 512 });
  expect(seen.body.spec).not.toHaveProperty("host_label_selector");
  expect(seen.body.status).toEqual({});
});

it("a type is the provider's to write, and has each port once", async () => {
  const ports = { network_ports: [{ name: "p0" }, { name: "p0" }] };
  expect(fields(await put("bare_metal_instance_types", type(ports)))).toEqual([
    "spec.hardware.network_ports[1].name",
  ]);
  const { status } = await api.ask("amy", "POST", `${v1}/bare_metal_instance_types`, type());
  expect(status).toBe(501);
});

it("in OSAC's form sizes are text, as 64-bit integers are", async () => {
  await put("bare_metal_instance_types", type({ disks: [{ capacity_gb: "960" }] }));
  const osac = { Accept: "application/json;profile=osac" };
  const path = `${v1}/bare_metal_instance_types/big`;
  const { body } = await api.ask("ann", "GET", path, undefined, osac);
  expect(body.spec.hardware).toMatchObject({
    memory: { total_gb: "512" },
    disks: [{ capacity_gb: "960" }],
  });
});

it("a template names a type that there is, which then cannot be deleted", async () => {
  expect(fields(await put("baremetal_instance_templates", template()))).toEqual(["host_type"]);
  await put("bare_metal_instance_types", type());
  const made = await put("baremetal_instance_templates", template());
  expect(made.body).toMatchObject({ host_type: "big", spec_defaults: {} });
  const { status, body } = await api.ask(
    "admin",
    "DELETE",
    `${priv}/bare_metal_instance_types/big`,
  );
  expect([status, body.code]).toEqual([400, 9]);
});

it("a template keeps the rules of parameters, and the schema that OSAC's clients leave out", async () => {
  await put("bare_metal_instance_types", type());
  const owner = { name: "owner", type: "string", schema: { maxLength: 5 } };
  const bad = { ...owner, default: "too long" };
  expect(
    fields(await put("baremetal_instance_templates", template({ parameters: [bad, owner] }))),
  ).toEqual(["parameters[0].default", "parameters[1].name"]);
  const { body } = await put("baremetal_instance_templates", template({ parameters: [owner] }));
  const path = `${priv}/baremetal_instance_templates/${body.id}`;
  const change = { parameters: [{ name: "owner", type: "string", title: "Owner" }] };
  const changed = await api.ask("admin", "PATCH", path, change);
  expect(changed.body.parameters[0]).toEqual({ ...owner, title: "Owner" });
});

it("a template and an offer have images that a server could load alone", async () => {
  await put("bare_metal_instance_types", type());
  const image = { source_type: "url", source_ref: "http://images.example.com/rhel.raw" };
  expect(
    fields(await put("baremetal_instance_templates", template({ spec_defaults: { image } }))),
  ).toEqual(["spec_defaults.image.source_ref"]);
  await put("baremetal_instance_templates", template());
  const offer = (...field_definitions: object[]) =>
    put("baremetal_instance_catalog_items", {
      metadata: { name: "server" },
      template: "rhel",
      field_definitions,
    });
  const first = ["field_definitions[0].default"];
  expect(fields(await offer({ path: "image", default: image }))).toEqual(first);
  const ref = { path: "image.source_ref", default: "quay.io/images/rhel:9" };
  expect(fields(await offer(ref, { path: "image.source_type", default: "url" }))).toEqual(first);
  const registry = { path: "image.source_type", default: "registry" };
  expect((await offer(ref, registry)).status).toBe(200);
});

it("an offer has both members of an image or none, and an address that some source has", async () => {
  await put("bare_metal_instance_types", type());
  await put("baremetal_instance_templates", template());
  const refusals = async (...field_definitions: object[]) => {
    const made = await put("baremetal_instance_catalog_items", {
      metadata: { name: "server" },
      template: "rhel",
      field_definitions,
    });
    const { errors = [] } = made.body;
    return errors.map(
      (each: { field: string; message: string }) => `${each.field}: ${each.message}`,
    );
  };
  const ref = { path: "image.source_ref", default: "quay.io/images/rhel:9" };
  const anySource = { path: "image.source_type", editable: true };
  const alone = "field_definitions[0].path: needs image.source_type beside it: no order";
  expect(await refusals(ref)).toEqual([expect.stringContaining(alone)]);
  expect(await refusals({ ...anySource, default: "url" })).toEqual([
    expect.stringContaining("field_definitions[0].path: needs image.source_ref beside it"),
  ]);
  expect(await refusals({ path: "image.phone_home", default: true })).toHaveLength(2);
  const noSource =
    /^field_definitions\[0\].default: must be an image in a registry.* or an https URL/;
  for (const bad of ["--autofree", "http://images.example.com/rhel.raw", "https://$(id)/x", "a\nb"])
    expect(await refusals({ ...ref, default: bad }, anySource)).toEqual([
      expect.stringMatching(noSource),
    ]);
  expect(await refusals(ref, anySource)).toEqual([]);
  expect(await refusals({ ...ref, default: "https://images.example.com/x" }, anySource)).toEqual(
    [],
  );
  expect(await refusals({ path: "image.source_ref", editable: true }, anySource)).toEqual([]);
});

it("an offer names fields of a server, and no user data", async () => {
  await put("bare_metal_instance_types", type());
  await put("baremetal_instance_templates", template());
  const offer = (definition: object) =>
    put("baremetal_instance_catalog_items", {
      metadata: { name: "server" },
      template: "rhel",
      field_definitions: [definition],
    });
  const refused = async (definition: object) => fields(await offer(definition));
  expect(await refused({ path: "node_sets.workers.size", default: 2 })).toEqual([
    "field_definitions[0].path",
  ]);
  expect(await refused({ path: "user_data", default: "#cloud-config" })).toEqual([
    "field_definitions[0].default",
  ]);
  expect(await refused({ path: "image", default: { source_type: "tape" } })).not.toEqual([]);
  expect((await offer({ path: "ssh_public_key", editable: true })).status).toBe(200);
  const { status } = await api.ask("admin", "DELETE", `${priv}/baremetal_instance_templates/rhel`);
  expect(status).toBe(404);
  const { body } = await api.ask("admin", "GET", `${priv}/baremetal_instance_templates`);
  const inUse = await api.ask(
    "admin",
    "DELETE",
    `${priv}/baremetal_instance_templates/${body.items[0].id}`,
  );
  expect(inUse.status).toBe(400);
});
