import { beforeEach, expect, it } from "vitest";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { type Api, catalogApi, priv, v1 } from "../../support/api.ts";
import { outsidePrefixes } from "../../support/books/resources.ts";
import { Table } from "../../support/books/table.ts";
import { siteWithFabric } from "../../support/outside-pools.ts";

/** Pools of outside addresses as the provider writes them, and as tenants see them. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
  await siteWithFabric(api, "hall");
});

const pool = (name: string, spec: object = {}) =>
  api.ask("admin", "POST", `${priv}/external_ip_pools`, {
    metadata: { name },
    spec: { ip_family: "IP_FAMILY_IPV4", cidrs: ["203.0.113.64/28"], site: "hall", ...spec },
  });
const wrong = async () => {
  const table = new Table(api.deps.store, kinds);
  return outsidePrefixes.wrong({ table, kinds, now: 0, wall: 0 });
};

it("counts its addresses, and shows tenants only what they can have", async () => {
  const { status, body, text } = await pool("outside", { low_mark: 4 });
  expect(status, text).toBe(200);
  const path = `external_ip_pools/${body.id}`;
  const whole = await api.ask("admin", "GET", `${priv}/${path}`);
  expect(whole.body).toMatchObject({
    spec: {
      cidrs: ["203.0.113.64/28"],
      implementation_strategy: "fabric",
      low_mark: 4,
      rest_minutes: 10,
      site: { id: "hall", name: "hall" },
    },
    status: { low: false, total: 16, allocated: 0, resting: 0, available: 16 },
  });
  const { metadata: _, ...shown } = (await api.ask("ann", "GET", `${v1}/${path}`)).body;
  expect(shown).toEqual({
    id: body.id,
    spec: { ip_family: "IP_FAMILY_IPV4" },
    status: { state: "EXTERNAL_IP_POOL_STATE_READY", available: 16 },
  });
  for (const [who, method] of [
    ["ann", "PATCH"],
    ["admin", "PATCH"],
    ["admin", "DELETE"],
  ] as const)
    expect((await api.ask(who, method, `${v1}/${path}`, {})).status).toBe(501);
});

it("tells OSAC's clients its counts as OSAC does, in a get and in a list", async () => {
  const { body } = await pool("outside");
  const accept = { Accept: "application/json;profile=osac" };
  const path = "external_ip_pools";
  const ours = (await api.ask("admin", "GET", `${priv}/${path}/${body.id}`, undefined, accept))
    .body;
  expect(ours.spec).toEqual({
    ip_family: "IP_FAMILY_IPV4",
    cidrs: ["203.0.113.64/28"],
    implementation_strategy: "fabric",
  });
  const counts = { total: "16", allocated: "0", available: "16" };
  expect(ours.status).toEqual({ state: "EXTERNAL_IP_POOL_STATE_READY", ...counts });
  const filter = encodeURIComponent('this.metadata.name == "outside"');
  for (const query of ["", `?filter=${filter}`]) {
    const list = await api.ask("ann", "GET", `${v1}/${path}${query}`, undefined, accept);
    const state = "EXTERNAL_IP_POOL_STATE_READY";
    expect(list.body.items).toMatchObject([{ spec: { ip_family: "IP_FAMILY_IPV4" } }]);
    expect(list.body.items[0].status).toEqual({ state, available: "16" });
  }
});

it.each<[string, object, string, string]>([
  [
    "a prefix of the other family",
    { cidrs: ["2001:db8::/120"] },
    "spec.cidrs[0]",
    "must be an IPv4 prefix, and 2001:db8::/120 is none",
  ],
  [
    "too many addresses",
    { cidrs: ["198.18.0.0/15"] },
    "spec.cidrs[0]",
    "is too large: the shortest prefix is /16, and this is /15",
  ],
  [
    "addresses that no packet has",
    { cidrs: ["198.51.100.0/24", "127.0.0.0/24"] },
    "spec.cidrs[1]",
    "must not overlap 127.0.0.0/8, which is reserved",
  ],
  [
    "a prefix twice",
    { cidrs: ["198.51.100.0/24", "198.51.100.128/25"] },
    "spec.cidrs[1]",
    "198.51.100.128/25 overlaps 198.51.100.0/24",
  ],
  [
    "the addresses that the site gives to clusters",
    { cidrs: ["203.0.113.16/28"] },
    "spec.cidrs[0]",
    "203.0.113.16/28 overlaps 203.0.113.10 to 203.0.113.20, the floating IPs of the site",
  ],
  [
    "the prefixes of clusters",
    { cidrs: ["10.64.8.0/24"] },
    "spec.cidrs[0]",
    "10.64.8.0/24 overlaps 10.64.0.0/16, the prefixes of clusters of the site",
  ],
  [
    "IPv6 on a fabric",
    { ip_family: "IP_FAMILY_IPV6", cidrs: ["2001:db8::/120"] },
    "spec.ip_family",
    "the fabric of site 'hall' has outside addresses of IPv4 alone",
  ],
  [
    "a strategy that is not its site's",
    { implementation_strategy: "overlay" },
    "spec.implementation_strategy",
    "is 'fabric' for a pool at a site",
  ],
  ["a site that is not there", { site: "none" }, "spec.site", 'Site "none" not found'],
])("refuses %s", async (_, spec, field, message) => {
  const before = api.dump();
  const { status, body } = await pool("wrong", spec);
  expect(status).toBe(400);
  expect(body.errors).toEqual([{ field, message }]);
  expect(api.dump()).toBe(before);
});

it("refuses what another pool at the site has, and takes it elsewhere", async () => {
  const { body: first } = await pool("first");
  const { body } = await pool("second", { cidrs: ["198.51.100.0/24", "203.0.113.72/29"] });
  expect(body.errors).toEqual([
    {
      field: "spec.cidrs[1]",
      message: `203.0.113.72/29 overlaps 203.0.113.64/28 of the pool '${first.id}'`,
    },
  ]);
  const nowhere = await pool("third", { site: undefined });
  expect(nowhere.status, nowhere.text).toBe(200);
  expect(nowhere.body.spec.implementation_strategy).toBe("overlay");
  expect(await wrong()).toEqual([]);
});

it("lets one of two pools have an address, however they meet", async () => {
  const answers = await Promise.all(["a", "b", "c"].map((name) => pool(name)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400]);
  expect(await wrong()).toEqual([]);
});

it("keeps the site's own addresses apart from those of its pools", async () => {
  const { body: first } = await pool("first");
  const patch = (floating_ips: object) =>
    api.ask("admin", "PATCH", `${priv}/sites/hall`, { spec: { network: { floating_ips } } });
  const { status, body } = await patch({ first: "203.0.113.10", last: "203.0.113.70" });
  expect(status).toBe(400);
  expect(body.errors[0]).toEqual({
    field: "spec.network.floating_ips",
    message: `203.0.113.64/30 overlaps 203.0.113.64/28 of the pool '${first.id}'`,
  });
  const meeting = await Promise.all([
    patch({ first: "203.0.113.10", last: "203.0.113.40" }),
    pool("meeting", { cidrs: ["203.0.113.32/29"] }),
  ]);
  expect(meeting.map(({ status: each }) => each).toSorted()).toEqual([200, 400]);
  expect(await wrong()).toEqual([]);
});

it("changes its prefixes as long as nobody has had an address, and never its family or site", async () => {
  const { body } = await pool("outside");
  const patch = (spec: object) =>
    api.ask("admin", "PATCH", `${priv}/external_ip_pools/${body.id}`, { spec });
  const changed = await patch({ cidrs: ["198.51.100.0/30"], low_mark: 1 });
  expect(changed.status, changed.text).toBe(200);
  const { status } = (await api.ask("admin", "GET", `${priv}/external_ip_pools/${body.id}`)).body;
  expect(status).toMatchObject({ total: 4, low: false });
  const refused = await patch({ ip_family: "IP_FAMILY_IPV6", cidrs: ["2001:db8::/126"] });
  expect(refused.body.errors).toContainEqual({
    field: "spec.ip_family",
    message: "field 'spec.ip_family' is immutable",
  });
  expect((await patch({ site: null })).body.errors).toEqual([
    { field: "spec.site", message: "field 'spec.site' is immutable" },
  ]);
  expect(await wrong()).toEqual([]);
});

it("keeps its site, and gives its prefixes back when it goes", async () => {
  const { body } = await pool("outside");
  const site = await api.ask("admin", "DELETE", `${priv}/sites/hall`);
  expect(site.body.message).toContain(`in use by external ip pool 'outside' (${body.id})`);
  expect((await api.ask("admin", "DELETE", `${priv}/external_ip_pools/${body.id}`)).status).toBe(
    200,
  );
  expect((await pool("again")).status).toBe(200);
  expect(await wrong()).toEqual([]);
});

it("one of a tenant's own is seen and used by that tenant alone", async () => {
  const { status, body, text } = await api.ask("admin", "POST", `${priv}/external_ip_pools`, {
    metadata: { name: "theirs", tenant: "tenant-a" },
    spec: { ip_family: "IP_FAMILY_IPV4", cidrs: ["198.51.100.0/30"] },
  });
  expect(status, text).toBe(200);
  const order = (who: "ann" | "bob") =>
    api.ask(who, "POST", `${v1}/external_ips`, {
      metadata: { name: "front" },
      spec: { pool: "theirs" },
    });
  const path = `${v1}/external_ip_pools`;
  for (const [who, found, orders] of [
    ["ann", 200, 200],
    ["bob", 404, 400],
  ] as const) {
    expect((await api.ask(who, "GET", `${path}/${body.id}`)).status, who).toBe(found);
    expect((await order(who)).status, who).toBe(orders);
  }
  const listed = (await api.ask("bob", "GET", path)).body.items;
  expect(listed.map(({ id }: { id: string }) => id)).not.toContain(body.id);
});
