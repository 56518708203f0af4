import { beforeEach, expect, it } from "vitest";
import { type Api, catalogApi, priv, v1 } from "../../support/api.ts";

/** Prefixes that networks get out of the pools of their class. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
  const fabric = {
    provider: "neutron",
    auth_url: "https://keystone.example.com/v3",
    credential_id: "abc",
    physical_network: "physnet1",
    external_network: "public",
  };
  const network = {
    vlans: { first: 100, last: 199 },
    prefixes: { cidr: "10.64.0.0/16", length: 24 },
    floating_ips: { first: "203.0.113.10", last: "203.0.113.20" },
    dns_servers: [],
  };
  const spec = { fabric, network, secrets: { fabric: "s" } };
  await api.ask("admin", "POST", `${priv}/sites`, { id: "hall", metadata: { name: "hall" }, spec });
});

const ipv4 = { cidrs: ["10.128.0.0/14"], length: 16 };
const ipv6 = { cidrs: ["fd12:3456::/32"], length: 48 };

const classWith = (prefix_pools: object, spec: object = {}) =>
  api.ask("admin", "POST", `${priv}/network_classes`, {
    metadata: { name: "isolated" },
    implementation_strategy: "fabric",
    is_default: true,
    spec: { site: "hall", prefix_pools, ...spec },
  });
const changed = (spec: object) =>
  api.ask("admin", "PATCH", `${priv}/network_classes/isolated`, { spec });
const network = (name: string, spec: object = {}, query = "") =>
  api.ask("ann", "POST", `${v1}/virtual_networks${query}`, { metadata: { name }, spec });

it("gives a network that names no prefix one of each family, and each another one", async () => {
  await classWith({ ipv4, ipv6 });
  const first = await network("first");
  expect(first.status, first.text).toBe(200);
  const cidrs = ({ body }: typeof first) => [body.spec.ipv4_cidr, body.spec.ipv6_cidr];
  expect(cidrs(first)).toEqual(["10.128.0.0/16", "fd12:3456::/48"]);
  expect(cidrs(await network("second"))).toEqual(["10.129.0.0/16", "fd12:3456:1::/48"]);
  expect(cidrs(await network("given", { ipv4_cidr: "10.20.0.0/16" }))).toEqual([
    "10.20.0.0/16",
    undefined,
  ]);
  const read = await api.ask("ann", "GET", `${v1}/virtual_networks/${first.body.id}`);
  expect(read.body.spec).toEqual(first.body.spec);
});

it("tells the provider how full its pools are, and tenants nothing of them", async () => {
  await classWith({ ipv4 }, { subnet_lengths: { ipv4: 26 } });
  await network("first");
  const { body } = await api.ask("admin", "GET", `${priv}/network_classes/isolated`);
  expect(body.spec).toMatchObject({ prefix_pools: { ipv4 }, subnet_lengths: { ipv4: 26 } });
  expect(body.status.prefix_pools).toEqual({ ipv4: { total: 4, used: 1, resting: 0, free: 3 } });
  const seen = await api.ask("ann", "GET", `${v1}/network_classes/isolated`);
  expect(seen.body.spec).toEqual({});
  expect(seen.body.status).toEqual({ state: "NETWORK_CLASS_STATE_READY" });
});

it("takes nothing from a pool in a dry run", async () => {
  await classWith({ ipv4 });
  const before = api.dump();
  expect((await network("first", {}, "?dry_run=true")).body.spec.ipv4_cidr).toBe("10.128.0.0/16");
  expect(api.dump()).toBe(before);
});

it("refuses a network when the pool is empty, and stores nothing of it", async () => {
  await classWith({ ipv4, ipv6: { ...ipv6, length: 34 } });
  for (const name of ["a", "b", "c", "d"]) expect((await network(name)).status).toBe(200);
  const before = api.dump();
  const { status, body } = await network("e");
  expect([status, body.code]).toEqual([400, 9]);
  expect(body.message).toBe("network class 'isolated' has no free IPv4 prefix: 4 of 4 in use");
  expect(api.dump()).toBe(before);
});

it("gives the last prefixes of a pool to as many of fifty orders as there are prefixes", async () => {
  await classWith({ ipv4: { cidrs: ["10.128.0.0/15", "10.140.0.0/13"], length: 16 } });
  const names = Array.from({ length: 50 }, (_, n) => `network-${n}`);
  const answers = await Promise.all(names.map((name) => network(name)));
  const won = answers.filter(({ status }) => status === 200);
  expect(new Set(won.map(({ body }) => body.spec.ipv4_cidr)).size).toBe(10);
  const others = answers.filter(({ status }) => status !== 200);
  expect(
    new Set(others.map(({ status, body }) => `${status} ${body.code} ${body.message}`)),
  ).toEqual(new Set(["400 9 network class 'isolated' has no free IPv4 prefix: 10 of 10 in use"]));
  const { body } = await api.ask("admin", "GET", `${priv}/network_classes/isolated`);
  expect(body.status.prefix_pools.ipv4).toEqual({ total: 10, used: 10, resting: 0, free: 0 });
});

it("serves fifty orders at once from a pool that has enough", async () => {
  await classWith({ ipv4: { cidrs: ["10.128.0.0/14"], length: 20 } });
  const names = Array.from({ length: 50 }, (_, n) => `network-${n}`);
  const answers = await Promise.all(names.map((name) => network(name)));
  expect(new Set(answers.map(({ body }) => body.spec?.ipv4_cidr ?? body.message)).size).toBe(50);
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
});

it.each<[string, object, string, string]>([
  [
    "a prefix of the other family",
    { ipv4: { cidrs: ["fd12::/32"], length: 16 } },
    "ipv4.cidrs[0]",
    "must be an IPv4 prefix, and fd12::/32 is none",
  ],
  [
    "a prefix without a part of the length",
    { ipv4: { cidrs: ["10.128.0.0/20"], length: 16 } },
    "ipv4.cidrs[0]",
    "is too small: it has no prefix of length 16",
  ],
  [
    "a length that no network can have",
    { ipv4: { cidrs: ["10.128.0.0/20"], length: 30 } },
    "ipv4.length",
    "must be 8 to 28, as networks can have",
  ],
  [
    "a prefix twice",
    { ipv6: { cidrs: ["fd12::/32", "fd12:0:8::/46"], length: 48 } },
    "ipv6.cidrs[1]",
    "fd12:0:8::/46 overlaps fd12::/32",
  ],
  [
    "addresses that no packet has",
    { ipv4: { cidrs: ["10.128.0.0/9", "127.0.0.0/8"], length: 16 } },
    "ipv4.cidrs[1]",
    "must not overlap 127.0.0.0/8, which is reserved",
  ],
  [
    "public prefixes where the class has none",
    { ipv4: { cidrs: ["8.0.0.0/8"], length: 16 } },
    "ipv4.cidrs[0]",
    "must be a private prefix, such as one in 10.0.0.0/8",
  ],
])("refuses a pool of %s", async (_, pools, field, message) => {
  const before = api.dump();
  const { status, body } = await classWith(pools);
  expect(status).toBe(400);
  expect(body.errors).toEqual([{ field: `spec.prefix_pools.${field}`, message }]);
  expect(api.dump()).toBe(before);
});

it("has a class without pools ask for a prefix", async () => {
  await classWith({});
  expect((await network("none")).body.errors).toEqual([
    { field: "spec", message: "needs ipv4_cidr or ipv6_cidr, or both" },
  ]);
});

it("gives a pool another meaning only while no network has had a prefix of it", async () => {
  await classWith({ ipv4 });
  const other = { cidrs: ["10.200.0.0/14"], length: 16 };
  const { status, text } = await changed({ prefix_pools: { ipv4: other } });
  expect(status, text).toBe(200);
  expect((await network("first")).body.spec.ipv4_cidr).toBe("10.200.0.0/16");
  const refusal = [
    {
      field: "spec.prefix_pools.ipv4",
      message: "can only get further cidrs at the end, because networks have had prefixes of it",
    },
  ];
  for (const wrong of [
    { ipv4 },
    { ipv4: { ...other, length: 20 } },
    { ipv4: { ...other, cidrs: ["10.208.0.0/14", ...other.cidrs] } },
    { ipv6 },
  ])
    expect((await changed({ prefix_pools: { ipv4: null, ...wrong } })).body.errors).toEqual(
      refusal,
    );
  const more = { ...other, cidrs: [...other.cidrs, "10.208.0.0/14"] };
  expect((await changed({ prefix_pools: { ipv4: more, ipv6 } })).status).toBe(200);
  const { body } = await api.ask("admin", "GET", `${priv}/network_classes/isolated`);
  expect(body.status.prefix_pools).toMatchObject({
    ipv4: { total: 8, used: 1 },
    ipv6: { used: 0 },
  });
});

it("gives no prefix of a pool that is changed at the same time", async () => {
  await classWith({ ipv4 });
  const other = { cidrs: ["10.200.0.0/14"], length: 16 };
  const [order, change] = await Promise.all([
    network("first"),
    changed({ prefix_pools: { ipv4: other } }),
  ]);
  expect(order.status).toBe(200);
  const { body } = await api.ask("admin", "GET", `${priv}/network_classes/isolated`);
  const whole = change.status === 200 ? other : ipv4;
  expect(body.spec.prefix_pools.ipv4).toEqual(whole);
  expect(order.body.spec.ipv4_cidr).toBe(whole.cidrs[0]?.replace("/14", "/16"));
});
