import { expect, it } from "vitest";
import { minutes } from "../../core/clock.ts";
import { wrongInBooks } from "../support/books.ts";
import { atRest, orderOf, withNetworks } from "../support/networks.ts";
import { openSite, type Site } from "../support/site.ts";

/** Networks and subnets that name no prefix, from their order until their prefixes are somebody else's. */

const prefix_pools = {
  ipv4: { cidrs: ["10.128.0.0/15"], length: 16 },
  ipv6: { cidrs: ["fd12::/32"], length: 48 },
};

const poolOf = async (site: Site) =>
  (await site.admin("GET", "network_classes/isolated")).body.status.prefix_pools.ipv4;

const network = (site: Site, name: string) =>
  site.api("POST", "virtual_networks", { metadata: { name }, spec: {} });

it("gives a network's prefix to another when the network is gone and its prefix has rested", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  await withNetworks(site, { prefix_pools });
  const first = (await network(site, "first")).body;
  await atRest(site, "virtual_networks", first.id);
  const second = (await network(site, "second")).body;
  expect([first.spec.ipv4_cidr, second.spec.ipv4_cidr]).toEqual(["10.128.0.0/16", "10.129.0.0/16"]);
  const subnet = await orderOf(site, "subnets", "web", { virtual_network: first.id });
  const web = await atRest(site, "subnets", subnet);
  expect(web.spec).toMatchObject({ ipv4_cidr: "10.128.0.0/24", ipv6_cidr: "fd12::/64" });
  expect(web.status.state).toBe("SUBNET_STATE_READY");

  // With its subnet there the network stays, and so does its prefix.
  expect((await site.api("DELETE", `virtual_networks/${first.id}`)).status).toBe(400);
  expect((await network(site, "third")).body.code).toBe(9);
  await site.api("DELETE", `subnets/${subnet}`);
  await atRest(site, "subnets", subnet);
  await site.api("DELETE", `virtual_networks/${first.id}`);
  // Until the fabric has nothing of it the prefix is the network's.
  expect(await poolOf(site)).toEqual({ total: 2, used: 2, resting: 0, free: 0 });
  expect(await atRest(site, "virtual_networks", first.id)).toBeUndefined();
  expect(await poolOf(site)).toEqual({ total: 2, used: 1, resting: 1, free: 0 });
  expect((await network(site, "third")).body.message).toBe(
    "network class 'isolated' has no free IPv4 prefix: 1 of 2 in use, 1 at rest after their last use",
  );
  expect(await wrongInBooks(site)).toEqual([]);

  await site.laptop.clock.advance(minutes(10));
  const third = await network(site, "third");
  expect(third.body.spec.ipv4_cidr).toBe("10.128.0.0/16");
  await atRest(site, "virtual_networks", third.body.id);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("says which pools of a class are low, and when they no longer are", async () => {
  const site = await openSite();
  const withMark = (low_mark?: number) => ({
    ...prefix_pools,
    ipv4: { cidrs: ["10.128.0.0/14"], length: 16, ...(low_mark !== undefined && { low_mark }) },
  });
  await withNetworks(site, { prefix_pools: withMark(2) });
  const low = async () => {
    await site.laptop.pass(1000);
    return (await site.admin("GET", "network_classes/isolated")).body.status.low;
  };
  const ids: string[] = [];
  for (const [name, lows] of [
    ["a", []],
    ["b", []],
    ["c", ["ipv4"]],
  ] as const) {
    ids.push((await network(site, name)).body.id);
    expect(await low()).toEqual(lows);
  }
  const mark = (prefix_pools: object) =>
    site.admin("PATCH", "network_classes/isolated", { spec: { prefix_pools } });
  expect((await mark(withMark(1))).status).toBe(200);
  expect(await low()).toEqual([]);
  expect((await mark(withMark(2))).status).toBe(200);
  expect(await low()).toEqual(["ipv4"]);

  // A network that names its prefix leaves the pool as it is.
  const own = await orderOf(site, "virtual_networks", "own", { ipv4_cidr: "10.20.0.0/16" });
  await atRest(site, "virtual_networks", own);
  expect(await low()).toEqual(["ipv4"]);
  await atRest(site, "virtual_networks", ids[2] ?? "");
  await site.api("DELETE", `virtual_networks/${ids[2]}`);
  expect(await atRest(site, "virtual_networks", ids[2] ?? "")).toBeUndefined();
  expect(await low()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("keeps the prefix of a network that could not be made until somebody deletes the network", async () => {
  const site = await openSite();
  await withNetworks(site, { prefix_pools });
  const operation = "POST /v2.0/routers";
  site.world.faults.add({ target: "fabric", operation, fault: "error", status: 400, count: 0 });
  const { id } = (await network(site, "shop")).body;
  const { spec, status } = await atRest(site, "virtual_networks", id);
  expect([status.state, spec.ipv4_cidr]).toEqual(["VIRTUAL_NETWORK_STATE_FAILED", "10.128.0.0/16"]);
  expect(await wrongInBooks(site)).toEqual([]);
  await site.api("DELETE", `virtual_networks/${id}`);
  await atRest(site, "virtual_networks", id);
  expect(await poolOf(site)).toEqual({ total: 2, used: 0, resting: 1, free: 1 });
  expect(await wrongInBooks(site)).toEqual([]);
});

it("forgets the pools of a class that is deleted, and begins anew with one of its name", async () => {
  const site = await openSite();
  await withNetworks(site, { prefix_pools });
  const { id } = (await network(site, "shop")).body;
  await atRest(site, "virtual_networks", id);
  expect((await site.admin("DELETE", "network_classes/isolated")).status).toBe(400);
  await site.api("DELETE", `virtual_networks/${id}`);
  await atRest(site, "virtual_networks", id);
  expect((await site.admin("DELETE", "network_classes/isolated")).status).toBe(200);
  expect(await wrongInBooks(site)).toEqual([]);
  await site.laptop.clock.advance(1000);
  await withNetworks(site, { prefix_pools });
  expect((await network(site, "shop")).body.spec.ipv4_cidr).toBe("10.128.0.0/16");
});

it("puts subnets that name no prefix beside those that do, however they are ordered", async () => {
  const site = await openSite();
  await withNetworks(site, { subnet_lengths: { ipv4: 19 } });
  const id = await orderOf(site, "virtual_networks", "shop", { ipv4_cidr: "10.20.0.0/16" });
  await atRest(site, "virtual_networks", id);
  const subnet = (name: string, spec: object = {}) =>
    site.api("POST", "subnets", { metadata: { name }, spec: { virtual_network: id, ...spec } });
  const answers = await Promise.all([
    ...["a", "b", "c", "d", "e", "f", "g", "h"].map((name) => subnet(name)),
    subnet("given", { ipv4_cidr: "10.20.33.0/24" }),
  ]);
  const won = answers.filter(({ status }) => status === 200);
  const cidrs = won.map(({ body }) => body.spec.ipv4_cidr).toSorted();
  // Eight fit; the given one costs a place if it came first, and is refused if it came last.
  expect([7, 8]).toContain(cidrs.filter((cidr) => cidr.endsWith("/19")).length);
  expect(won).toHaveLength(8);
  for (const { status, body } of answers)
    if (status !== 200)
      expect(body.message).toMatch(
        /network 'shop' has no free prefix of length 19 in 10\.20\.0\.0\/16|overlaps/,
      );
  for (const { body } of won) await atRest(site, "subnets", body.id);
  expect(await wrongInBooks(site)).toEqual([]);
});
