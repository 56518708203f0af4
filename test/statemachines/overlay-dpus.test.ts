import { expect, it } from "vitest";
import type { Store } from "../../core/kernel/store/store.ts";
import { wrongInBooks } from "../support/books.ts";
import { addServerWithDpus, dpuName, dpuOf } from "../support/dpus.ts";
import { untilHost, withMetal } from "../support/managed-hosts.ts";
import { atRest, orderOf } from "../support/networks.ts";
import { forgetEnds, macOf, packetsOf, putInto, takeOut, withOverlay } from "../support/overlay.ts";
import { siteAfter } from "../support/save-site.ts";
import type { Site } from "../support/site.ts";

/** Networks whose ends are the DPUs of servers. */

interface Servers {
  hosts: string[];
  dpus: string[];
}

/** Three free servers with a DPU each. */
async function withServers(site: Site): Promise<Servers> {
  await withMetal(site);
  await withOverlay(site);
  const made = [];
  for (const number of [1, 2, 3]) made.push(await addServerWithDpus(site, number, { dpus: 1 }));
  for (const { host } of made) await untilHost(site, host, "AVAILABLE");
  return { hosts: made.map(({ host }) => host), dpus: made.map(({ dpus }) => dpus[0] ?? "") };
}

/** A network of tenant-a, or of its neighbour, with one subnet. */
async function networkOf(site: Site, name: string): Promise<{ network: string; subnet: string }> {
  const network = await orderOf(site, "virtual_networks", name, { ipv4_cidr: "10.20.0.0/16" });
  await atRest(site, "virtual_networks", network);
  const subnet = await orderOf(site, "subnets", `${name}-web`, { virtual_network: network });
  await atRest(site, "subnets", subnet);
  return { network, subnet };
}

const groups: string[] = [];
const settle = (site: Site) => site.laptop.pass(3 * 60_000);
const reaches = (site: Site, from: number, to: number) =>
  packetsOf(site).reaches({ nic: macOf(from) }, { nic: macOf(to) }, "tcp", 443).arrives;

it("let the hosts of a network reach each other, and nobody else, where all have the same prefixes", {
  tags: "smoke",
}, async () => {
  const { site, brought } = await siteAfter(withServers);
  const [one = "", two = "", three = ""] = brought.dpus;
  expect(reaches(site, 1, 2)).toBe(false);
  const shop = await networkOf(site, "shop");
  const other = await networkOf(site, "other");
  await putInto(site, one, { ...shop, mac: macOf(1), address: "10.20.0.4", groups });
  await putInto(site, two, { ...shop, mac: macOf(2), address: "10.20.0.5", groups });
  await putInto(site, three, { ...other, mac: macOf(3), address: "10.20.0.5", groups });
  await settle(site);
  expect(reaches(site, 1, 2)).toBe(true);
  expect(reaches(site, 2, 1)).toBe(true);
  expect(reaches(site, 3, 1)).toBe(false);
  const fate = packetsOf(site).reaches({ nic: macOf(1) }, { address: "10.20.0.5" }, "tcp", 443);
  expect(fate).toMatchObject({ arrives: true, at: macOf(2) });
  // Nobody has ordered any of this, which the books see.
  const forNobody = (number: number) =>
    expect.stringMatching(`^NIC ${macOf(number)} behind DPU .* for nobody$`);
  expect(await wrongInBooks(site)).toEqual([1, 2, 3].map(forNobody));
  await takeOut(site, brought.hosts[1] ?? "");
  expect(await wrongInBooks(site)).toContainEqual(
    expect.stringMatching(/^DPU server-2-dpu-0 has \[overlay_interface .*\] instead of \[\]$/),
  );
  await settle(site);
  for (const [from, to] of [
    [1, 2],
    [2, 1],
    [2, 3],
    [3, 2],
  ] as const)
    expect(reaches(site, from, to)).toBe(false);
  for (const host of brought.hosts) await takeOut(site, host);
  await settle(site);
  await forgetEnds(site, [one, two, three]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("carry IPv6 where a subnet has both families, by the rules of each", async () => {
  const { site, brought } = await siteAfter(withServers);
  const [one = "", two = ""] = brought.dpus;
  const network = await orderOf(site, "virtual_networks", "both", {
    ...{ ipv4_cidr: "10.20.0.0/16", ipv6_cidr: "fd00:20::/48" },
  });
  await atRest(site, "virtual_networks", network);
  const both = { virtual_network: network, ipv4_cidr: "10.20.1.0/24" };
  const small = { metadata: { name: "small" }, spec: { ...both, ipv6_cidr: "fd00:20::/121" } };
  const refused = await site.api("POST", "subnets", small);
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    400,
    expect.stringContaining("spec.ipv6_cidr"),
  ]);
  const spec = { ...both, ipv6_cidr: "fd00:20:0:1::/64" };
  const subnet = await orderOf(site, "subnets", "web", spec);
  await atRest(site, "subnets", subnet);
  const rule = { protocol: "PROTOCOL_ALL", ipv6_cidr: "::/0" };
  const group = await orderOf(site, "security_groups", "six", {
    ...{ virtual_network: network, egress: [rule], ingress: [rule] },
  });
  await atRest(site, "security_groups", group);
  await putInto(site, one, { network, subnet, mac: macOf(1), address: "10.20.1.4", groups });
  const place = { network, subnet, mac: macOf(2), address: "10.20.1.5" };
  await putInto(site, two, { ...place, groups });
  await settle(site);
  const to = (address: string) =>
    packetsOf(site).reaches({ nic: macOf(1) }, { address }, "tcp", 443);
  expect(to("fd00:20:0:1::5")).toMatchObject({ at: macOf(2), source: "fd00:20:0:1::4" });
  expect(to("10.20.1.5")).toMatchObject({ at: macOf(2), source: "10.20.1.4" });
  expect(to("2001:db8::7").arrives).toBe(false);
  // What the receiver's group lets in is of IPv6 alone.
  await putInto(site, two, { ...place, groups: [group] });
  await settle(site);
  expect(to("fd00:20:0:1::5").arrives).toBe(true);
  expect(to("10.20.1.5")).toMatchObject({ stopped: "ingress group" });
  await takeOut(site, brought.hosts[1] ?? "");
  await settle(site);
  expect(to("fd00:20:0:1::5").arrives).toBe(false);
});

it("apply the rules of a group once every DPU with a member has told so", async () => {
  const { site, brought } = await siteAfter(withServers);
  const [one = "", two = ""] = brought.dpus;
  const shop = await networkOf(site, "shop");
  const egress = [{ protocol: "PROTOCOL_ALL", ipv4_cidr: "0.0.0.0/0" }];
  const group = await orderOf(site, "security_groups", "web", {
    ...{ virtual_network: shop.network, egress },
  });
  await atRest(site, "security_groups", group);
  await putInto(site, one, { ...shop, mac: macOf(1), address: "10.20.0.4", groups: [group] });
  await putInto(site, two, { ...shop, mac: macOf(2), address: "10.20.0.5", groups: [group] });
  await settle(site);
  expect(reaches(site, 1, 2)).toBe(false);
  site.world.faults.add({
    target: `bmc:${dpuName(2, 0)}`,
    operation: "agent",
    fault: "hold",
    count: 0,
  });
  const ingress = [
    { protocol: "PROTOCOL_TCP", port_from: 443, port_to: 443, security_group: group },
  ];
  expect((await site.api("PATCH", `security_groups/${group}`, { spec: { ingress } })).status).toBe(
    200,
  );
  await settle(site);
  const { body } = await site.api("GET", `security_groups/${group}`);
  expect(body.status).toMatchObject({ wanted_version: 2, applied_version: 1 });
  const { status } = (await site.admin("GET", `operations/${body.status.operation}`)).body;
  expect(JSON.stringify(status)).toContain(`DPU ${dpuName(2, 0)} to apply version`);
  site.world.faults.clear();
  expect((await atRest(site, "security_groups", group)).status).toMatchObject({
    applied_version: 2,
  });
  expect(reaches(site, 1, 2)).toBe(true);
});

it("keep the number of a network until a DPU that has left it has told so", async () => {
  const { site, brought } = await siteAfter(withServers);
  const [one = ""] = brought.dpus;
  const shop = await networkOf(site, "shop");
  await putInto(site, one, { ...shop, mac: macOf(1), address: "10.20.0.4", groups });
  await settle(site);
  const fault = { target: `bmc:${dpuName(1, 0)}`, operation: "agent" };
  site.world.faults.add({ ...fault, fault: "hold", count: 0 });
  await takeOut(site, brought.hosts[0] ?? "");
  expect((await site.api("DELETE", `subnets/${shop.subnet}`)).status).toBe(200);
  await settle(site);
  const { body } = await site.api("GET", `subnets/${shop.subnet}`);
  expect(body.status.state).toBe("SUBNET_STATE_DELETING");
  site.world.faults.clear();
  await settle(site);
  await forgetEnds(site, [one]);
  await site.laptop.until(
    async () => (await site.api("GET", `subnets/${shop.subnet}`)).status === 404,
    "the subnet to be gone",
  );
});

it.each([
  ["is in no network any more", undefined],
  ["is in another network", "other"],
  ["has another address in its network", "shop"],
])("have the others learn of a DPU that %s, by the next attempt where one dies", async (_, to) => {
  const { site, brought } = await siteAfter(withServers);
  const [one = "", two = ""] = brought.dpus;
  const shop = await networkOf(site, "shop");
  const place = to && (to === "shop" ? shop : await networkOf(site, to));
  await putInto(site, one, { ...shop, mac: macOf(1), address: "10.20.0.4", groups });
  const lets = async () => JSON.stringify((await dpuOf(site, one)).wanted).includes("10.20.0.5");
  const { deps } = site.laptop;
  for (let writes = 0, died = true; died; writes++) {
    await putInto(site, two, { ...shop, mac: macOf(2), address: "10.20.0.5", groups });
    await settle(site);
    await forgetEnds(site, [two]);
    expect(await lets()).toBe(true);
    if (place) await putInto(site, two, { ...place, mac: macOf(2), address: "10.20.0.6", groups });
    else await takeOut(site, brought.hosts[1] ?? "");
    await settle(site);
    expect(await lets()).toBe(true);
    const store = dyingAfter(deps.store, writes);
    died = await forgetEnds(site, [two], { ...deps, store }).then(
      () => false,
      () => true,
    );
    await forgetEnds(site, [two]);
    expect([writes, await lets()]).toEqual([writes, false]);
    const { leaving, former } = await dpuOf(site, two);
    expect([leaving, former]).toEqual([undefined, undefined]);
  }
});

/** A store of which a worker sees no more after so many writes. */
const dyingAfter = (store: Store, writes: number): Store => {
  let left = writes;
  return {
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    query: (query) => store.query(query),
    count: (query) => store.count(query),
    transact: async (...given) => {
      if (left-- === 0) throw new Error("the worker has died");
      await store.transact(...given);
    },
  };
};
