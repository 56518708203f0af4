import { beforeEach, describe, expect, it, vi } from "vitest";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { usersOf } from "../../../core/kernel/object/uses.ts";
import { transactionLimit } from "../../../core/kernel/store/store.ts";
import type { Asked } from "../../../core/machine/serving.ts";
import { fillAllocation } from "../../../core/placement/allocations/fill.ts";
import { noteRoom } from "../../../core/placement/capacity/note-room.ts";
import { machines } from "../../../core/resources/baremetal-instance/machines.ts";
import { type Api, catalogApi, type Person, priv, v1 } from "../../support/api.ts";
import { bigType } from "../../support/bare-metal-offers.ts";
import { addFleet } from "../../support/fleet.ts";
import { sshKey } from "../../support/orders.ts";
import { addHosts, addHub } from "../../support/placement.ts";

/** Orders for servers: what one may say, what follows from it, and what may be changed. */

let api: Api;
let subnet = "";
beforeEach(async () => {
  api = await catalogApi();
  await put("sites", { metadata: { name: "site-1" }, spec: {} });
  await put("network_classes", {
    metadata: { name: "overlay" },
    implementation_strategy: "overlay",
    is_default: true,
    spec: { vni_range: { first: 5000, last: 5999 } },
  });
  const network = await made("virtual_networks", "shop", { ipv4_cidr: "10.20.0.0/16" });
  await changeObject(api.deps, "virtual_network", network, (each) => ({ ...each, made: true }));
  subnet = await readySubnet("web", "10.20.1.0/24");
  await put("host_types", { metadata: { name: "metal" }, hardware: { cpus: 64, memory_gib: 512 } });
  await addFleet(api.deps, { metal: 100 }, "site-1");
  await put(
    "bare_metal_instance_types",
    bigType({ name: "p0" }, { name: "p1" }, { name: "ipmi", role: "lifecycle" }),
  );
  await put("baremetal_instance_templates", {
    id: "rhel",
    metadata: { name: "rhel" },
    host_type: "big",
    parameters: [{ name: "owner", type: "string", default: "nobody" }],
    spec_defaults: { image },
  });
  await put("baremetal_instance_catalog_items", {
    id: "rhel",
    metadata: { name: "rhel" },
    template: "rhel",
    published: true,
  });
});

const image = { source_type: "registry", source_ref: "quay.io/images/rhel:9.6" };

async function put(kind: string, body: object): Promise<void> {
  const { status, text } = await api.ask("admin", "POST", `${priv}/${kind}`, body);
  expect(status, text).toBe(200);
}

async function made(kind: string, name: string, spec: object, who: Person = "ann") {
  const { status, text, body } = await api.ask(who, "POST", `${v1}/${kind}`, {
    metadata: { name },
    spec,
  });
  expect(status, text).toBe(200);
  return body.id;
}

async function readySubnet(name: string, ipv4_cidr: string): Promise<string> {
  const id = await made("subnets", name, { virtual_network: "shop", ipv4_cidr });
  const site = { id: "site-1", parts: {} };
  await changeObject(api.deps, "subnet", id, (each) => ({ ...each, made: true, site }));
  return id;
}

const order = (spec: object = {}, who: Person = "ann", query = "", name = "db-1") =>
  api.ask(who, "POST", `${v1}/baremetal_instances${query}`, {
    metadata: { name },
    spec: {
      catalog_item: "rhel",
      ssh_public_key: sshKey("ann"),
      network_attachments: [{ subnet: "web" }],
      ...spec,
    },
  });
const patch = (id: string, spec: object) =>
  api.ask("ann", "PATCH", `${v1}/baremetal_instances/${id}`, { spec });
const refused = async (spec: object) => {
  const { status, body } = await order(spec);
  expect(status).toBe(400);
  return body.errors.map(({ field, message }: Record<string, string>) => `${field}: ${message}`);
};

it("an order has what its template says, and shows no user data", async () => {
  const user_data = "#cloud-config\npassword: canary\n";
  const { status, body, text } = await order({ user_data });
  expect(status, text).toBe(200);
  expect(body.spec).toMatchObject({
    catalog_item: { id: "rhel", name: "rhel" },
    template_parameters: { owner: "nobody" },
    image,
    user_data: "***",
    run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS",
    network_attachments: [
      { subnet: { id: subnet, name: "web" }, security_groups: [], primary: true },
    ],
  });
  expect(body.status).toMatchObject({
    state: "BARE_METAL_INSTANCE_STATE_PROVISIONING",
    instance_type: "big",
  });
  expect(body.status).not.toHaveProperty("host_type");
  expect(JSON.stringify(api.deps.store.stream(undefined, 10_000))).not.toContain("canary");
  expect([...api.deps.secretValues.values()]).toContain(user_data);
  const shown = await api.ask("admin", "GET", `${priv}/baremetal_instances/${body.id}`);
  expect(shown.body.status.host_type).toBe("metal");
  expect(shown.text).not.toContain("canary");
});

it("a refused order, and one that is only tried, leave no user data behind", async () => {
  const before = new Set(api.deps.secretValues.keys());
  await order({ user_data: "#cloud-config", catalog_item: "none" });
  expect((await order({ user_data: "#cloud-config" }, "ann", "?dry_run=true")).status).toBe(200);
  expect(new Set(api.deps.secretValues.keys())).toEqual(before);
});

it("user data with a byte order mark are served without it", async () => {
  const user_data = "\uFEFF#cloud-config\n{}\n";
  const { status, text, body } = await order({ user_data, ssh_public_key: undefined });
  expect(status, text).toBe(200);
  const instance = await mustLoad(api.deps, "baremetal_instance", body.id);
  const asked: Asked = {
    machine: { kind: "baremetal_instance", id: body.id },
    ...{ site: "site-1", token: "" },
    urls: { boot: "", loader: "", seed: "", phoneHome: "", contract: "" },
  };
  expect(await machines.seed?.(api.deps, instance, "user-data", asked)).toBe("#cloud-config\n{}\n");
});

describe("is refused", () => {
  it.each<[string, object, RegExp[]]>([
    ["without an offer", { catalog_item: undefined }, [/^spec.catalog_item: is required/]],
    [
      "by an offer that is not there",
      { catalog_item: "gold" },
      [/^spec.catalog_item: .*not found/],
    ],
    ["if nobody could log in", { ssh_public_key: undefined }, [/^spec.ssh_public_key: .*log in/]],
    ["with too much user data", { user_data: "x".repeat(65_537) }, [/^spec.user_data: .*65536/]],
    [
      "with user data that cloud-init ignores, if nobody could log in then",
      { ssh_public_key: undefined, user_data: "packages: [vim]\n" },
      [/^spec.user_data: .*'#cloud-config'.*no user could log in/],
    ],
    [
      "with half a key",
      { ssh_public_key: sshKey("ann").slice(0, 40) },
      [/^spec.ssh_public_key: is cut off/],
    ],
    [
      "with an option of the loader in place of a script",
      { image: { source_type: "ipxe", source_ref: "--autofree" } },
      [/^spec.image.source_ref: must be an https URL/],
    ],
    [
      "with an image that is not fetched safely",
      { image: { source_type: "url", source_ref: "http://169.254.169.254/" } },
      [/^spec.image.source_ref: must be an https URL/],
    ],
    [
      "with an unknown source",
      { image: { source_type: "tape", source_ref: "x" } },
      [/^spec.image.source_type/],
    ],
    ["without a network", { network_attachments: [] }, [/^spec.network_attachments: is required/]],
    [
      "in a subnet that is not there",
      { network_attachments: [{ subnet: "x" }] },
      [/subnet: Subnet "x" not found/],
    ],
    [
      "with a parameter that is none",
      { template_parameters: { size: 1 } },
      [/template_parameters.size/],
    ],
    [
      "with an external IP, as of now",
      { auto_external_ip_attachment: true },
      [/auto_external_ip_attachment/],
    ],
    [
      "with two attachments that name no ports, and none of them primary",
      { network_attachments: [{ subnet: "web" }, { subnet: "web" }] },
      [
        /exactly one/,
        /\[0\].interface: is required/,
        /\[1\].interface: is required/,
        /another attachment/,
      ],
    ],
    [
      "at a port that is not the tenant's",
      { network_attachments: [{ subnet: "web", interface: "ipmi" }] },
      [/\[0\].interface: must be 'p0' or 'p1'/],
    ],
  ])("%s", async (_, spec, expected) => {
    const before = api.dump();
    const said = await refused(spec);
    expect(said).toHaveLength(expected.length);
    for (const [n, pattern] of expected.entries()) expect(said[n]).toMatch(pattern);
    expect(api.dump()).toBe(before);
  });

  it("in subnets at two sites", async () => {
    const far = await readySubnet("far", "10.20.2.0/24");
    const site = { id: "site-2", parts: {} };
    await changeObject(api.deps, "subnet", far, (each) => ({ ...each, site }));
    const network_attachments = [
      { subnet: "web", interface: "p0", primary: true },
      { subnet: "far", interface: "p1", primary: false },
    ];
    expect(await refused({ network_attachments })).toEqual([
      "spec.network_attachments[1].subnet: is at site 'site-2', and another one is not",
    ]);
  });

  it("where the provider has no hosts of the hardware", async () => {
    await api.ask("admin", "PATCH", `${priv}/host_types/metal`, { hardware: { cpus: 8 } });
    expect(await refused({})).toEqual([
      expect.stringMatching(/'big', and the provider has no hosts/),
    ]);
  });

  it("beyond the quota of hosts", async () => {
    await put("quotas", {
      metadata: { name: "q", tenant: "tenant-a" },
      spec: { limits: { hosts: { metal: 1 } } },
    });
    expect((await order()).status).toBe(200);
    const { status, body } = await order({}, "ann", "", "db-2");
    expect(status).toBe(403);
    expect(body.quota[0]).toMatchObject({ host_type: "metal", limit: 1, used: 1, asked: 1 });
  });
});

it("another tenant sees neither the server nor what it stands in", async () => {
  const { id } = (await order()).body;
  expect((await api.ask("bob", "GET", `${v1}/baremetal_instances/${id}`)).status).toBe(404);
  expect((await api.ask("bob", "DELETE", `${v1}/baremetal_instances/${id}`)).status).toBe(404);
  const said = await order({ network_attachments: [{ subnet }] }, "bob");
  expect(said.body.errors[0].message).toMatch(/not found in this project/);
});

it("keeps what it was ordered with, and takes power and restarts", async () => {
  const { id } = (await order({ user_data: "#cloud-config" })).body;
  const { body } = await patch(id, {
    image: { ...image, source_ref: "quay.io/other:1" },
    user_data: "other",
    ssh_public_key: null,
    template_parameters: { owner: "me" },
    network_attachments: [],
  });
  expect(body.errors.map(({ field }: { field: string }) => field).toSorted()).toEqual([
    "spec.image",
    "spec.network_attachments",
    "spec.ssh_public_key",
    "spec.template_parameters",
    "spec.user_data",
  ]);
  const halted = { run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_HALTED", restart_trigger: 7 };
  const changed = await patch(id, { ...halted, user_data: "***" });
  expect(changed.status, changed.text).toBe(200);
  expect(changed.body.spec).toMatchObject(halted);
  const groups = await patch(id, {
    network_attachments: [{ subnet: "web", security_groups: ["x"] }],
  });
  expect(groups.body.errors[0].message).toMatch(/SecurityGroup "x" not found/);
});

it("takes other networks of its own at its site, by a request of its own, once it is there", async () => {
  const { id } = (await order()).body;
  const elsewhere = await readySubnet("far", "10.20.2.0/24");
  const soon = await made("subnets", "soon", {
    virtual_network: "shop",
    ipv4_cidr: "10.20.3.0/24",
  });
  for (const [subnet, at] of [
    [elsewhere, "site-2"],
    [soon, "site-1"],
  ] as const)
    await changeObject(api.deps, "subnet", subnet, (each) => ({
      ...each,
      site: { id: at, parts: {} },
    }));
  await readySubnet("back", "10.20.4.0/24");
  const errors = async (network_attachments: object[], more: object = {}) => {
    const { status, body } = await patch(id, { network_attachments, ...more });
    expect(status).toBe(400);
    return body.errors?.map(({ field, message }: Record<string, string>) => `${field}: ${message}`);
  };
  const before = api.dump();
  expect(await errors([{ subnet: "far" }])).toEqual([
    "spec.network_attachments[0].subnet: is of site 'site-2', and the server is in subnets of site 'site-1'",
  ]);
  expect(await errors([{ subnet: "back", interface: "ipmi" }])).toEqual([
    expect.stringMatching(/^spec.network_attachments\[0\].interface: must be 'p0' or 'p1'/),
  ]);
  expect(await errors([{ subnet: "back" }, { subnet: "back" }])).toHaveLength(4);
  expect(await errors([{ subnet: "none" }])).toEqual([
    expect.stringMatching(/\[0\].subnet: Subnet "none" not found in this project/),
  ]);
  expect(await errors([{ subnet: "back" }], { restart_trigger: 1 })).toEqual([
    "spec.network_attachments: change networks in a separate request",
  ]);
  const said = async (named: string) =>
    (await patch(id, { network_attachments: [{ subnet: named }] })).body.message;
  expect(await said("soon")).toMatch(/subnet 'soon' is not READY/);
  expect(await said("back")).toMatch(/cannot change the networks of a server while operation/);
  expect(api.dump()).toBe(before);

  const atRest = async (more: object) =>
    changeObject(api.deps, "baremetal_instance", id, ({ operation: _, ...each }) => ({
      ...{ ...each, published: true },
      ...more,
    }));
  await atRest({ repair: { since: "2026-01-01T00:00:00Z", dpus: true, hasFailed: true } });
  expect(await said("back")).toMatch(/the repair of its host has failed/);
  await atRest({ repair: undefined });
  const changed = await patch(id, { network_attachments: [{ subnet: "back" }] });
  expect(changed.status, changed.text).toBe(200);
  expect(changed.body.spec.network_attachments[0].subnet.name).toBe("back");
  // It is in both until the change is over.
  expect(changed.body.status.subnets).toHaveLength(2);
  for (const each of changed.body.status.subnets) {
    const { body } = await api.ask("ann", "DELETE", `${v1}/subnets/${each}`);
    expect(body.in_use[0].objects).toEqual([{ id, name: "db-1" }]);
  }
  expect((await api.ask("ann", "DELETE", `${v1}/subnets/${soon}`)).status).toBe(200);
});

it("an offer restricts an order, and its type, template and subnet stay as long as it is there", async () => {
  await put("baremetal_instance_catalog_items", {
    id: "fixed",
    metadata: { name: "fixed" },
    template: "rhel",
    published: true,
    field_definitions: [
      { path: "ssh_public_key", editable: true },
      { path: "network_attachments", editable: true },
      { path: "image", default: { source_type: "url", source_ref: "https://images/fixed.img" } },
    ],
  });
  const fixed = { catalog_item: "fixed" };
  expect(await refused({ ...fixed, image })).toEqual([
    expect.stringMatching(/image.source_ref: field 'image' is not editable/),
    expect.stringMatching(/image.source_type: field 'image' is not editable/),
  ]);
  const { body } = await order(fixed);
  expect(body.spec.image.source_ref).toBe("https://images/fixed.img");
  for (const path of ["baremetal_instance_catalog_items/fixed", "host_types/metal"])
    expect((await api.ask("admin", "DELETE", `${priv}/${path}`)).status).toBe(400);
  const { body: inUse } = await api.ask("ann", "DELETE", `${v1}/subnets/${subnet}`);
  expect(inUse.in_use[0].objects).toEqual([{ id: body.id, name: "db-1" }]);
});

it.each<[string, { hardware: object; inOverlay?: true }, string]>([
  [
    "have DPUs alone",
    { hardware: { dpus: 2 } },
    "has such hardware only in hosts with DPUs, which need subnets of an overlay; these are of a fabric",
  ],
  [
    "have no DPUs",
    { hardware: {}, inOverlay: true },
    "has such hardware only in hosts without DPUs, which need subnets of a fabric; these are of an overlay",
  ],
  [
    "boot no image from a URL",
    { hardware: { url_boot: false } },
    "has such hardware only in hosts whose service cannot boot an image from a URL",
  ],
  ["are too small", { hardware: { memory_gib: 1 } }, "has no hosts of such hardware"],
])("is refused, and says so, where the hosts %s", async (_, { hardware, inOverlay }, lack) => {
  const metal = { cpus: 64, memory_gib: 512, ...hardware };
  const { status, text } = await api.ask("admin", "PATCH", `${priv}/host_types/metal`, {
    hardware: metal,
  });
  expect(status, text).toBe(200);
  if (inOverlay) await changeObject(api.deps, "subnet", subnet, ({ site: _, ...each }) => each);
  expect(await refused({})).toEqual([
    `spec.catalog_item: orders servers of type 'big', and the provider ${lack}`,
  ]);
});

describe("several at once", () => {
  const one = (name: string, spec: object = {}, metadata: object = {}) => ({
    metadata: { name, ...metadata },
    spec: {
      catalog_item: "rhel",
      ssh_public_key: sshKey("ann"),
      network_attachments: [{ subnet: "web" }],
      ...spec,
    },
  });
  const many = (items: object[], query = "", headers: Record<string, string> = {}) =>
    api.ask("ann", "POST", `${v1}/baremetal_instances/batch${query}`, { items }, headers);

  it("as many as one transaction takes are all accepted, each as if it were alone", async () => {
    const user_data = "#cloud-config";
    const names = Array.from({ length: 12 }, (_, n) => `db-${n}`);
    const { status, body, text } = await many(names.map((name) => one(name, { user_data })));
    expect(status, text).toBe(200);
    expect(body.items.map(({ metadata }: { metadata: object }) => metadata)).toEqual(
      names.map((name) => expect.objectContaining({ name, tenant: "tenant-a" })),
    );
    const { batch } = body.items[0].status;
    expect(batch).toEqual({ id: expect.any(String), size: 12 });
    for (const { status } of body.items) {
      expect(status.batch).toEqual(batch);
      expect(status.operation).toEqual(expect.any(String));
    }
    expect([...api.deps.secretValues.values()].filter((value) => value === user_data)).toHaveLength(
      12,
    );
    const scope = await api.ask("admin", "GET", `${priv}/audit_entries?tenant=tenant-a`);
    const entries = scope.body.items.filter(({ verb }: { verb: string }) => verb === "batch");
    const said = (each: { id: string; status: { operation: string } }) =>
      expect.objectContaining({ object_id: each.id, operation: each.status.operation });
    expect(entries).toHaveLength(12);
    for (const item of body.items) expect(entries).toContainEqual(said(item));
    for (const { id } of body.items)
      expect((await api.ask("ann", "DELETE", `${v1}/baremetal_instances/${id}`)).status).toBe(200);
  });

  it("the same request again under its key is the same batch", async () => {
    const items = [one("a"), one("b")];
    const key = { "Idempotency-Key": "two" };
    const first = await many(items, "", key);
    const again = await many(items, "", key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect((await many([one("a"), one("c")], "", key)).status).toBe(422);
  });

  it("none is accepted where one is refused, and what is wrong has its place", async () => {
    await order({}, "ann", "", "taken");
    const before = api.dump();
    const wrong = async (items: object[], status = 400) => {
      const said = await many(items);
      expect(said.status, said.text).toBe(status);
      return (said.body.errors ?? []).map(
        ({ field, message }: Record<string, string>) => `${field}: ${message}`,
      );
    };
    expect(await wrong([])).toEqual([expect.stringMatching(/^items: /)]);
    expect(await wrong([one("a"), one("b", { catalog_item: "none" }), one("a")])).toEqual([
      expect.stringMatching(/^items\[1\].spec.catalog_item: .*not found/),
      "items[2].metadata.name: is also that of items[0]",
    ]);
    expect(await wrong([one("a"), one("b", { size: 1 })])).toEqual([
      "items[1].spec.size: is not a known field",
    ]);
    expect(await wrong([one("a"), one("b", { placement: { region: "eu" } })])).toEqual([
      "items[1].spec.placement: must be the same as in items[0]",
    ]);
    await wrong([one("a"), one("taken")], 409);
    expect(api.dump()).toBe(before);
    await put("quotas", {
      metadata: { name: "q", tenant: "tenant-a" },
      spec: { limits: { hosts: { metal: 3 } } },
    });
    const limited = api.dump();
    expect(await wrong([one("a"), one("b"), one("c")], 403)).toEqual([
      expect.stringMatching(/^items: .*1 of at most 3 hosts.*asks for 3 more/),
    ]);
    expect(api.dump()).toBe(limited);
  });

  it("none has an external IP of its own, of which one transaction has not room for twelve", async () => {
    const items = [one("a"), one("b", { auto_external_ip_attachment: true })];
    const { body: pool } = await api.ask("admin", "POST", `${priv}/external_ip_pools`, {
      metadata: { name: "outside" },
      spec: { ip_family: "IP_FAMILY_IPV4", cidrs: ["198.51.100.0/28"] },
    });
    // The site of the subnet, which has no fabric here.
    const site = { id: "site-1", name: "site-1" };
    await changeObject(api.deps, "external_ip_pool", pool.id, (each) => ({
      ...each,
      spec: { ...each.spec, site },
    }));
    const { status, body } = await many(items);
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          field: "items[1].spec.auto_external_ip_attachment",
          message:
            "is not possible in a batch, whose transaction has no room for the addresses; attach external IPs once the servers run",
        },
      ],
    ]);
    // What one takes beside another, and its address beside that.
    const transact = vi.spyOn(api.deps.store, "transact");
    const writes = async (ask: () => Promise<{ status: number }>) => {
      transact.mockClear();
      expect((await ask()).status).toBe(200);
      return Math.max(...transact.mock.calls.map(([each]) => each.length));
    };
    const alone = await writes(() => many([one("c")]));
    const each = (await writes(() => many([one("d"), one("e")]))) - alone;
    const plain = await writes(() => order({}, "ann", "", "f"));
    const spec = { auto_external_ip_attachment: true };
    const address = (await writes(() => order(spec, "ann", "", "g"))) - plain;
    expect(12 * (each + address)).toBeGreaterThan(transactionLimit);
    transact.mockRestore();
  });

  it("a dry run accepts nothing, and answers what would be accepted", async () => {
    const before = api.dump();
    const { status, body } = await many([one("a"), one("b")], "?dry_run=true");
    expect(status).toBe(200);
    expect(body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(
      ["a", "b"],
    );
    expect(body.items[0]).not.toHaveProperty("id");
    expect(api.dump()).toBe(before);
  });
});

it("is of a host type that is kept for its tenant, and else of the one with the most free hosts", async () => {
  const { deps } = api;
  await put("host_types", { metadata: { name: "idle" }, hardware: { cpus: 64, memory_gib: 512 } });
  await addHub(deps, "hub", { site: "site-1" });
  await addHosts(deps, "hub", "metal", ["kept"]);
  await addHosts(deps, "hub", "idle", ["idle-1", "idle-2"]);
  const chosen = async () => {
    await noteRoom(deps, "hub");
    const { body } = await order({}, "ann", "", `db-${deps.random()}`.replace(".", ""));
    const shown = await api.ask("admin", "GET", `${priv}/baremetal_instances/${body.id}`);
    return shown.body.status.host_type;
  };
  expect(await chosen()).toBe("idle");
  const { body } = await api.ask("admin", "POST", `${priv}/allocations`, {
    metadata: { name: "theirs", tenant: "tenant-a" },
    spec: { host_type: "metal", reserved: 1 },
  });
  await fillAllocation(deps, body.id);
  expect(await chosen()).toBe("metal");
});

it("a retry that takes another host type uses that one, and the first no more", async () => {
  const { deps } = api;
  const { body } = await order();
  await put("host_types", { metadata: { name: "idle" }, hardware: { cpus: 64, memory_gib: 512 } });
  await addHub(deps, "hub", { site: "site-1" });
  await addHosts(deps, "hub", "idle", ["idle-1"]);
  await noteRoom(deps, "hub");
  await changeObject(deps, "baremetal_instance", body.id, ({ operation: _, ...instance }) => ({
    ...instance,
    failure: { step: "ReserveCapacity", kind: "Rejected", message: "none", given_back: true },
  }));
  const servers = async (hostType: string) => {
    const users = await usersOf(deps, await mustLoad(deps, "host_type", hostType));
    return users.find(({ kind }) => kind === "baremetal_instance")?.count ?? 0;
  };
  expect([await servers("metal"), await servers("idle")]).toEqual([1, 0]);
  const retried = await api.ask("ann", "POST", `${v1}/baremetal_instances/${body.id}/retry`);
  expect(retried.status, retried.text).toBe(200);
  expect((await mustLoad(deps, "baremetal_instance", body.id)).host_type).toBe("idle");
  expect([await servers("metal"), await servers("idle")]).toEqual([0, 1]);
});
