import { beforeEach, expect, it } from "vitest";
import { AppError } from "../../core/error.ts";
import { objectKey } from "../../core/kernel/object/keys.ts";
import type { StreamRecord } from "../../core/kernel/store/store.ts";
import { relaying } from "../../core/resources/relaying.ts";
import { followNewTenants } from "../../core/resources/tenant/default-networking.ts";
import { wrongInBooks } from "../support/books.ts";
import { withNetworks } from "../support/networks.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** The network, the subnet and the security group that new tenants get where the default class says so. */

const defaults = {
  virtual_network_ipv4_cidr: "10.30.0.0/16",
  subnet_ipv4_cidr: "10.30.7.0/24",
};
const collections = ["virtual_networks", "subnets", "security_groups"];

let site: Site;
beforeEach(async () => {
  site = await openSite();
});

const of = async (collection: string, tenant = "acme"): Promise<Wire[]> =>
  (await site.admin("GET", collection)).body.items.filter(
    ({ metadata }: Wire) => metadata.tenant === tenant,
  );

const counts = async (tenant = "acme") =>
  Promise.all(collections.map(async (collection) => (await of(collection, tenant)).length));

const tenantNamed = (name: string) => site.admin("POST", "tenants", { metadata: { name } });

/** Waits for all three to be at rest. */
const made = (tenant = "acme") =>
  site.laptop.until(async () => {
    const all = await Promise.all(collections.map((collection) => of(collection, tenant)));
    return all.every(([each]) => each && each.status.operation === undefined);
  }, `the default networking of ${tenant}`);

/** The change that the relay follows, as it was told first. */
async function birthOf(tenant: string): Promise<StreamRecord> {
  const key = objectKey("tenant", tenant);
  const after = await site.laptop.store.get(key);
  if (!after) throw new Error(`there is no tenant ${tenant}`);
  return { key, after } as StreamRecord;
}

const follow = (record: StreamRecord, more: object = {}) =>
  followNewTenants({ ...site.laptop.deps, ...relaying, ...more }, record);

it("gives a new tenant a network, a subnet and a group named default, as orders of slipway's", {
  tags: "smoke",
}, async () => {
  await withNetworks(site, { defaults });
  expect((await tenantNamed("acme")).status).toBe(200);
  await made();
  const [[network], [subnet], [group]] = (await Promise.all(
    collections.map((each) => of(each)),
  )) as [Wire, Wire, Wire];
  expect(network).toMatchObject({
    metadata: { name: "default", tenant: "acme", creator: "slipway" },
    spec: { ipv4_cidr: "10.30.0.0/16" },
    status: { state: "VIRTUAL_NETWORK_STATE_READY" },
  });
  expect(subnet).toMatchObject({
    metadata: { name: "default", creator: "slipway" },
    spec: { virtual_network: { id: network.id }, ipv4_cidr: "10.30.7.0/24" },
    status: { state: "SUBNET_STATE_READY" },
  });
  expect(group).toMatchObject({
    metadata: { name: "default" },
    spec: {
      ingress: [{ protocol: "PROTOCOL_ALL", security_group: { id: group.id } }],
      egress: [{ protocol: "PROTOCOL_ALL", ipv4_cidr: "0.0.0.0/0", ipv6_cidr: "::/0" }],
    },
    status: { state: "SECURITY_GROUP_STATE_READY" },
  });
  const { items } = (await site.admin("GET", "audit_entries?tenant=acme")).body;
  const told = items.filter(({ kind }: Wire) => kind !== "tenant");
  expect(told.map(({ actor, kind, verb }: Wire) => `${actor.user} ${verb} ${kind}`)).toEqual([
    "slipway create virtual_network",
    "slipway create subnet",
    "slipway create security_group",
  ]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("gives each new tenant other prefixes where they come from the pools", async () => {
  const ipv4 = { cidrs: ["10.128.0.0/14"], length: 16 };
  await withNetworks(site, { defaults: {}, prefix_pools: { ipv4 } });
  await tenantNamed("acme");
  await tenantNamed("bolt");
  await made("acme");
  await made("bolt");
  const cidrs = async (collection: string) =>
    (await Promise.all(["acme", "bolt"].map((tenant) => of(collection, tenant))))
      .flat()
      .map(({ spec }) => spec.ipv4_cidr)
      .toSorted();
  expect(await cidrs("virtual_networks")).toEqual(["10.128.0.0/16", "10.129.0.0/16"]);
  expect(await cidrs("subnets")).toEqual(["10.128.0.0/24", "10.129.0.0/24"]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("gives nothing where the default class says nothing", async () => {
  await withNetworks(site);
  await tenantNamed("acme");
  await site.laptop.drained();
  expect(await counts()).toEqual([0, 0, 0]);
});

it("makes one of each however often it is told of the tenant, also after the tenant deleted them", async () => {
  await withNetworks(site, { defaults });
  await tenantNamed("acme");
  const birth = await birthOf("acme");
  await Promise.all([follow(birth), follow(birth), made()]);
  await follow(birth);
  expect(await counts()).toEqual([1, 1, 1]);
  const [network] = await of("virtual_networks");
  const key = objectKey("virtual_network", network.id);
  const after = await site.laptop.store.get(key);
  await follow({ key, after } as StreamRecord);
  expect(await counts()).toEqual([1, 1, 1]);
  for (const collection of collections.toReversed()) {
    const [each] = await of(collection);
    expect((await site.admin("DELETE", `${collection}/${each.id}`)).status).toBe(200);
    await site.laptop.until(async () => (await of(collection)).length === 0, "its deletion");
  }
  await follow(birth);
  expect(await counts()).toEqual([0, 0, 0]);
  expect((await site.admin("DELETE", "tenants/acme")).status).toBe(200);
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("makes nothing for a tenant that was deleted meanwhile, nor the tenant again", async () => {
  await withNetworks(site);
  await tenantNamed("acme");
  const birth = await birthOf("acme");
  expect((await site.admin("DELETE", "tenants/acme")).status).toBe(200);
  await site.admin("PATCH", "network_classes/isolated", { spec: { defaults } });
  await follow(birth);
  expect(await counts()).toEqual([0, 0, 0]);
  expect((await site.admin("GET", "tenants/acme")).status).toBe(404);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("tries again what failed on the way, and leaves out what the tenant's quota does not allow", async () => {
  await withNetworks(site);
  await tenantNamed("acme");
  const birth = await birthOf("acme");
  await site.admin("PATCH", "network_classes/isolated", { spec: { defaults } });
  const { store } = site.laptop;
  const away = {
    get: store.get.bind(store),
    getMany: store.getMany.bind(store),
    query: store.query.bind(store),
    count: store.count.bind(store),
    transact: async () => {
      throw new AppError("Unavailable", "the store is unreachable");
    },
  };
  await expect(follow(birth, { store: away })).rejects.toThrow("the store is unreachable");
  expect(await counts()).toEqual([0, 0, 0]);
  const quota = (limits: object) =>
    site.admin("POST", "quotas", { metadata: { name: "acme", tenant: "acme" }, spec: { limits } });
  expect((await quota({ virtual_networks: 1, subnets: 0 })).status).toBe(200);
  await follow(birth);
  await site.laptop.until(
    async () => (await of("security_groups"))[0]?.status.state === "SECURITY_GROUP_STATE_READY",
    "the group",
  );
  expect(await counts()).toEqual([1, 0, 1]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it.each<[string, object, string, string]>([
  ["no prefix at all", {}, "", "needs a prefix for the network, or a class with prefix_pools"],
  [
    "a subnet without its network",
    { virtual_network_ipv6_cidr: "fd00::/48", subnet_ipv4_cidr: "10.30.7.0/24" },
    ".subnet_ipv4_cidr",
    "needs virtual_network_ipv4_cidr",
  ],
  [
    "a subnet elsewhere",
    { ...defaults, subnet_ipv4_cidr: "10.31.0.0/24" },
    ".subnet_ipv4_cidr",
    "10.31.0.0/24 is not within 10.30.0.0/16",
  ],
  [
    "a public network",
    { virtual_network_ipv4_cidr: "8.0.0.0/16" },
    ".virtual_network_ipv4_cidr",
    "must be a private prefix, such as one in 10.0.0.0/8",
  ],
  [
    "the other family",
    { virtual_network_ipv4_cidr: "fd00::/48" },
    ".virtual_network_ipv4_cidr",
    "must be an IPv4 prefix, and fd00::/48 is none",
  ],
])("refuses defaults with %s", async (_, faulty, field, message) => {
  const answer = await site.admin("POST", "network_classes", {
    metadata: { name: "isolated" },
    implementation_strategy: "fabric",
    spec: { site: "site-1", defaults: faulty },
  });
  expect(answer.body.errors).toEqual([{ field: `spec.defaults${field}`, message }]);
});
