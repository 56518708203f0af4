import { beforeEach, expect, it } from "vitest";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { demandFor } from "../../../core/resources/cluster/demand.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { type Api, catalogApi, order, type Person, v1 } from "../../support/api.ts";
import { numbers } from "../../support/books/numbers.ts";
import { wrongInQuotas } from "../../support/books/quotas.ts";
import { Table } from "../../support/books/table.ts";
import { made, poolAt, siteWithFabric } from "../../support/outside-pools.ts";

/** Orders of clusters with external IPs of the tenant, which come and go with them. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
  for (const site of ["hall", "barn"]) await siteWithFabric(api, site);
});

const pool = (name: string, cidr: string, site: string | undefined = "hall") =>
  poolAt(api, site, name, cidr);

const kubeconfig = JSON.stringify({
  contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
  clusters: [{ name: "k", cluster: { server: "https://hub.example.com:6443" } }],
  users: [{ name: "u", user: { token: "t" } }],
});

const auto = { auto_external_ip_attachment: true };
const ordered = (name: string, spec: object = {}, metadata: object = {}, who: Person = "ann") =>
  api.ask(who, "POST", `${v1}/clusters`, order(name, { ...auto, ...spec }, metadata));
const listed = async (collection: string, who: Person = "ann") =>
  (await api.ask(who, "GET", `${v1}/${collection}`)).body.items;

/** What of the books is about addresses and quotas. */
function wrong(): string[] {
  const table = new Table(api.deps.store, kinds);
  const world = { ledger: () => [] };
  const rest = { sited: [], clusters: [], placed: [], hosts: [], secrets: new Set<string>() };
  const books = { table, kinds, now: api.deps.clock.now(), wall: 0, world, ...rest };
  return [...numbers.wrong(books), ...wrongInQuotas(table)];
}

it("are in the tenant's lists at once, in the cluster's project, and count in its quotas", async () => {
  await pool("outside", "203.0.113.64/30");
  await api.ask("amy", "POST", `${v1}/projects`, { metadata: { name: "shop" } });
  const limits = { external_ips: 3, floating_ips: 0 };
  await made(api, "quotas", { metadata: { name: "q", tenant: "tenant-a" }, spec: { limits } });
  const { status, body, text } = await ordered("prod", {}, { project: "shop" }, "amy");
  expect(status, text).toBe(200);
  expect(body.spec.auto_external_ip_attachment).toBe(true);
  const [ips, attachments] = await Promise.all([
    listed("external_ips", "amy"),
    listed("external_ip_attachments", "amy"),
  ]);
  for (const { metadata } of [...ips, ...attachments])
    expect(metadata).toMatchObject({
      tenant: "tenant-a",
      project: "shop",
      name: expect.stringMatching(/^prod-(api|ingress)-/),
      labels: { "osac.openshift.io/auto-created": "true" },
      annotations: { "osac.openshift.io/owner-reference": body.id },
      creator: body.metadata.creator,
    });
  expect(attachments.map(({ spec }: { spec: object }) => spec)).toEqual(
    ["API", "INGRESS"].map((endpoint, n) => ({
      external_ip: { id: ips[n].id, name: ips[n].metadata.name },
      cluster: { id: body.id, name: "prod" },
      target_endpoint: `EXTERNAL_IP_ATTACHMENT_ENDPOINT_${endpoint}`,
    })),
  );
  expect(await listed("external_ips", "bob")).toEqual([]);
  const second = await ordered("next", {}, {}, "amy");
  expect([second.status, second.body.errors]).toEqual([
    403,
    [
      {
        field: "spec.auto_external_ip_attachment",
        message: "tenant 'tenant-a' has 2 of at most 3 external ips, and this asks for 2 more",
      },
    ],
  ]);
  expect(wrong()).toEqual([]);
});

it("are deleted by nobody while the cluster is there", async () => {
  await pool("outside", "203.0.113.64/30");
  const { id } = (await ordered("prod")).body;
  const [ip] = await listed("external_ips");
  const [attachment] = await listed("external_ip_attachments");
  const before = api.dump();
  const refusal = async (path: string) => (await api.ask("ann", "DELETE", `${v1}/${path}`)).body;
  expect(await refusal(`external_ip_attachments/${attachment.id}`)).toMatchObject({
    code: 9,
    message: expect.stringContaining(`in use by cluster 'prod' (${id})`),
  });
  const { name } = attachment.metadata;
  expect(await refusal(`external_ips/${ip.id}`)).toMatchObject({
    code: 9,
    message: expect.stringContaining(`in use by external ip attachment '${name}'`),
  });
  expect(api.dump()).toBe(before);
});

it("are not claimed by an order that is only tried", async () => {
  await pool("outside", "203.0.113.64/30");
  const before = api.dump();
  const tried = await api.ask("ann", "POST", `${v1}/clusters`, order("prod", auto), {
    "X-Dry-Run": "true",
  });
  expect([tried.status, tried.body.spec.auto_external_ip_attachment]).toEqual([200, true]);
  expect(api.dump()).toBe(before);
});

it("are what the cluster was ordered with: never changed, and false is none", async () => {
  await pool("outside", "203.0.113.64/30");
  const plain = (await ordered("plain", { auto_external_ip_attachment: false })).body;
  expect(plain.spec).not.toHaveProperty("auto_external_ip_attachment");
  expect(await listed("external_ips")).toEqual([]);
  const { id } = (await ordered("prod")).body;
  const change = (cluster: string, is: boolean | null) =>
    api.ask("ann", "PATCH", `${v1}/clusters/${cluster}`, {
      spec: { auto_external_ip_attachment: is },
    });
  for (const [cluster, is] of [
    [plain.id, true],
    [id, false],
    [id, null],
  ])
    expect((await change(cluster, is)).body.errors).toEqual([
      {
        field: "spec.auto_external_ip_attachment",
        message: "field 'spec.auto_external_ip_attachment' is immutable",
      },
    ]);
  expect((await change(plain.id, false)).status).toBe(200);
  expect((await change(id, true)).status).toBe(200);
});

it.each<[string, () => Promise<unknown>]>([
  ["there is no pool", async () => {}],
  ["the only pool is at no site", () => poolAt(api, undefined, "nowhere", "203.0.113.64/30")],
  [
    "the only pool has no IPv4",
    () => poolAt(api, undefined, "six", "2001:db8::/120", { ip_family: "IP_FAMILY_IPV6" }),
  ],
])("are refused where %s, with the other faults", async (_, before) => {
  await before();
  const { status, body } = await ordered("prod", { version: "none" });
  expect([status, body.errors]).toEqual([
    400,
    expect.arrayContaining([
      expect.objectContaining({ field: "spec.version" }),
      {
        field: "spec.auto_external_ip_attachment",
        message:
          "needs a pool of IPv4 addresses at a site, and there is none; without it the cluster has addresses of its own",
      },
    ]),
  ]);
  const flag = { auto_external_ip_attachment: "yes" };
  expect((await ordered("prod", flag)).body.errors[0].field).toBe(
    "spec.auto_external_ip_attachment",
  );
});

it("are of the pool with the most free addresses, where the cluster has to be then", async () => {
  await pool("small", "203.0.113.64/31");
  await pool("large", "203.0.113.72/29");
  const { id } = (await ordered("prod")).body;
  const ips = await listed("external_ips");
  expect(ips.map(({ spec }: { spec: { pool: { name: string } } }) => spec.pool.name)).toEqual([
    "large",
    "large",
  ]);
  const cluster = await mustLoad(api.deps, "cluster", id);
  expect(demandFor(cluster.spec.node_sets)(cluster).where).toEqual({ site: "hall" });
});

it("are at a site with hubs that the order can have", async () => {
  await pool("near", "203.0.113.64/30");
  await pool("far", "198.51.100.0/24", "barn");
  for (const [hub, region, site] of [
    ["hub-n", "north", "hall"],
    ["hub-s", "south", "barn"],
  ])
    await made(api, "hubs", {
      id: hub,
      metadata: { name: hub },
      spec: { kubeconfig, region, site },
    });
  const poolOf = async (name: string, spec: object) => {
    const { body, text } = await ordered(name, spec);
    const { automatic_ips: ips } = await mustLoad(api.deps, "cluster", body.id);
    expect(ips?.site, text).toBeDefined();
    return ips?.site;
  };
  expect(await poolOf("a", { placement: { region: "north" } })).toBe("hall");
  expect(await poolOf("b", { placement: { region: "south" } })).toBe("barn");
  expect(await poolOf("c", {})).toBe("barn");
});

it("are given to one of many orders that meet for the last two addresses, and nothing is kept of the others", async () => {
  await pool("outside", "203.0.113.64/31");
  const names = Array.from({ length: 50 }, (_, n) => `c${n}`);
  const answers = await Promise.all(names.map((name) => ordered(name)));
  const won = answers.filter(({ status }) => status === 200);
  expect(won).toHaveLength(1);
  for (const { status, body } of answers.filter((each) => !won.includes(each)))
    expect([status, body.code, body.message]).toEqual([
      400,
      9,
      "fewer than 2 addresses of pool 'outside' are free: 2 of 2 are used",
    ]);
  for (const [collection, count] of [
    ["clusters", 1],
    ["external_ips", 2],
    ["external_ip_attachments", 2],
    ["operations", 1],
  ])
    expect(await listed(String(collection)), String(collection)).toHaveLength(Number(count));
  expect(wrong()).toEqual([]);
});

it("are given to as many as there are pools for, whichever each has asked first", async () => {
  await pool("one", "203.0.113.64/31");
  await pool("two", "203.0.113.66/31");
  const names = Array.from({ length: 10 }, (_, n) => `c${n}`);
  const answers = await Promise.all(names.map((name) => ordered(name)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(wrong()).toEqual([]);
});

it("may be fixed by an offer", async () => {
  await pool("outside", "203.0.113.64/30");
  await made(api, "cluster_catalog_items", {
    id: "open",
    metadata: { name: "open" },
    title: "Open to the outside",
    template: { name: "ocp-small" },
    published: true,
    field_definitions: [
      { path: "auto_external_ip_attachment", default: true },
      { path: "template_parameters.owner", editable: true },
    ],
  });
  const spec = { catalog_item: "open", template_parameters: { owner: "ann" } };
  const ask = (name: string, more: object = {}) =>
    api.ask("ann", "POST", `${v1}/clusters`, { metadata: { name }, spec: { ...spec, ...more } });
  const { status, text } = await ask("prod");
  expect(status, text).toBe(200);
  expect(await listed("external_ips")).toHaveLength(2);
  expect((await ask("other", { auto_external_ip_attachment: false })).body.errors).toEqual([
    {
      field: "spec.auto_external_ip_attachment",
      message: "field 'auto_external_ip_attachment' is not editable",
    },
  ]);
});

it("are the same for an order that is repeated under its key", async () => {
  await pool("outside", "203.0.113.64/30");
  const ask = () =>
    api.ask("ann", "POST", `${v1}/clusters`, order("prod", auto), { "Idempotency-Key": "k" });
  const [first, second] = [await ask(), await ask()];
  expect(second.body.id).toBe(first.body.id);
  expect(await listed("external_ips")).toHaveLength(2);
});

it("fit into one transaction with as many labels as an order can have, unless its project lies deep", async () => {
  await pool("outside", "203.0.113.64/29");
  const labels = Object.fromEntries(Array.from({ length: 32 }, (_, n) => [`l${n}`, "x"]));
  const { status, text } = await ordered("prod", {}, { labels });
  expect(status, text).toBe(200);
  const path = ["a", "b", "c", "d", "e"];
  for (const [n] of path.entries())
    await api.ask("amy", "POST", `${v1}/projects`, {
      metadata: { name: path.slice(0, n + 1).join(".") },
    });
  const before = api.dump();
  const project = path.join(".");
  const deep = await ordered("deep", {}, { labels, project }, "amy");
  expect([deep.status, deep.body.message]).toEqual([
    400,
    expect.stringMatching(/needs \d+ writes at once; 98 is the limit/),
  ]);
  expect(api.dump()).toBe(before);
  expect((await ordered("deep", {}, { project }, "amy")).status).toBe(200);
  expect(wrong()).toEqual([]);
});
