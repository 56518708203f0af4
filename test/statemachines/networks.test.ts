import { expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import {
  atRest,
  networkWithSubnet,
  orderOf,
  readyNetwork,
  withNetworks,
} from "../support/networks.ts";
import { openSite, type Site } from "../support/site.ts";

/** Tenants' networks, through the API, the sagas and the simulated fabric. */

it("makes a network and a subnet on the fabric, and takes both away again", async () => {
  const site = await openSite();
  await withNetworks(site);
  const { network, subnet } = await networkWithSubnet(site);
  const { body } = await site.api("GET", `subnets/${subnet}`);
  expect(body.status).toEqual({
    state: "SUBNET_STATE_READY",
    gateways: ["10.20.1.1"],
    addresses: { total: 251, used: 0, resting: 0, free: 251 },
  });
  expect((await site.admin("GET", `subnets/${subnet}`)).body.status.vlan).toBe(100);
  expect(site.owned().map((thing) => thing.split(" ")[0])).toEqual(
    expect.arrayContaining(["network", "router", "subnet", "vlan"]),
  );
  expect(await wrongInBooks(site)).toEqual([]);

  expect((await site.api("DELETE", `subnets/${subnet}`)).status).toBe(200);
  expect(await atRest(site, "subnets", subnet)).toBeUndefined();
  expect((await site.api("DELETE", `virtual_networks/${network}`)).status).toBe(200);
  expect(await atRest(site, "virtual_networks", network)).toBeUndefined();
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("refuses a subnet that overlaps another, and names both", async () => {
  const site = await openSite();
  await withNetworks(site);
  const { network, subnet } = await networkWithSubnet(site);
  const { status, body } = await site.api("POST", "subnets", {
    metadata: { name: "again" },
    spec: { virtual_network: network, ipv4_cidr: "10.20.1.128/25" },
  });
  expect(status).toBe(400);
  expect(body.message).toContain(
    `10.20.1.128/25 overlaps 10.20.1.0/24, the prefix of subnet '${subnet}'`,
  );
});

it("lets tenants have the same prefixes, each in a network of its own", async () => {
  const site = await openSite();
  await withNetworks(site);
  const ours = await networkWithSubnet(site);
  const { body } = await site.neighbour("POST", "virtual_networks", {
    metadata: { name: "shop" },
    spec: { ipv4_cidr: "10.20.0.0/16" },
  });
  await site.laptop.until(
    async () =>
      (await site.neighbour("GET", `virtual_networks/${body.id}`)).body.status.state ===
      "VIRTUAL_NETWORK_STATE_READY",
    "the neighbour's network",
  );
  expect((await site.neighbour("GET", `virtual_networks/${ours.network}`)).status).toBe(404);
  const foreign = await site.neighbour("POST", "subnets", {
    metadata: { name: "theirs" },
    spec: { virtual_network: ours.network, ipv4_cidr: "10.20.2.0/24" },
  });
  expect(foreign.status).toBe(400);
  expect(foreign.body.message).toContain("not found in this project");
});

it("gives everything back when the fabric refuses, and says why", async () => {
  const site = await openSite();
  await withNetworks(site);
  site.world.faults.add({
    target: "fabric",
    operation: "POST /v2.0/routers",
    fault: "error",
    status: 400,
    count: 0,
  });
  const id = await orderOf(site, "virtual_networks", "shop", { ipv4_cidr: "10.20.0.0/16" });
  const { status } = await atRest(site, "virtual_networks", id);
  expect(status.state).toBe("VIRTUAL_NETWORK_STATE_FAILED");
  expect(status.message).toContain("CreateRouter");
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("keeps a network with a subnet and a class with a network, and names them", async () => {
  const site = await openSite();
  await withNetworks(site);
  const { network, subnet } = await networkWithSubnet(site);
  const ofNetwork = [{ kind: "subnet", count: 1, objects: [{ id: subnet, name: "shop-web" }] }];
  const removal = async () => (await site.api("DELETE", `virtual_networks/${network}`)).body;
  expect(await removal()).toMatchObject({
    code: 9,
    message: `cannot delete virtual network '${network}': in use by subnet 'shop-web' (${subnet})`,
    in_use: ofNetwork,
  });
  const { items } = (await site.admin("GET", "network_classes")).body;
  expect((await site.admin("DELETE", `network_classes/${items[0].id}`)).body.in_use).toEqual([
    { kind: "virtual_network", count: 1, objects: [{ id: network, name: "shop" }] },
  ]);
  expect((await atRest(site, "virtual_networks", network)).status.state).toMatch(/_READY$/);

  await site.api("DELETE", `subnets/${subnet}`);
  expect((await removal()).in_use).toEqual(ofNetwork);
  expect(await atRest(site, "subnets", subnet)).toBeUndefined();
  expect(await removal()).toEqual({});
  const late = await site.api("POST", "subnets", {
    metadata: { name: "late" },
    spec: { virtual_network: network, ipv4_cidr: "10.20.2.0/24" },
  });
  expect(late).toMatchObject({ status: 400, body: { code: 9 } });
  expect(await atRest(site, "virtual_networks", network)).toBeUndefined();
  expect(await wrongInBooks(site)).toEqual([]);
});

it.each(["the deletion", "the subnet"])(
  "accepts the deletion of a network or a subnet in it, never both: %s is asked for first",
  async (first) => {
    const site = await openSite();
    await withNetworks(site);
    const network = await readyNetwork(site, "shop");
    const deletion = () => site.api("DELETE", `virtual_networks/${network}`);
    const subnet = () =>
      site.api("POST", "subnets", {
        metadata: { name: "web" },
        spec: { virtual_network: network, ipv4_cidr: "10.20.1.0/24" },
      });
    const requests = first === "the subnet" ? [subnet, deletion] : [deletion, subnet];
    const answers = await Promise.all(requests.map((request) => request()));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    for (const id of answers.flatMap(({ status, body }) => (status === 200 && body.id) || []))
      expect((await atRest(site, "subnets", id)).status.state).toBe("SUBNET_STATE_READY");
    await atRest(site, "virtual_networks", network);
    expect(await wrongInBooks(site)).toEqual([]);
  },
);

const anywhere = { ipv4_cidr: "0.0.0.0/0" };
const web = { protocol: "PROTOCOL_TCP", port_from: 443, port_to: 443, ...anywhere };
const everything = { protocol: "PROTOCOL_ALL", ...anywhere };

/** The rules of a tenant's groups, as the fabric has them. */
const rulesOnFabric = (site: Site): string[] =>
  site.world.site.fabric.read(({ records }) =>
    records
      .all("security_group_rule")
      .map(
        ({ direction, ethertype, protocol, port_range_min, remote_ip_prefix, remote_group_id }) =>
          [
            ...[direction, ethertype, protocol ?? "any", port_range_min ?? "all"],
            remote_group_id ? "a group" : (remote_ip_prefix ?? "anywhere"),
          ].join(" "),
      )
      .toSorted(),
  );

it("has the fabric allow exactly what a group says, and says which version applies", async () => {
  const site = await openSite();
  await withNetworks(site);
  const network = await readyNetwork(site, "shop");
  const before = rulesOnFabric(site);
  const id = await orderOf(site, "security_groups", "web", {
    virtual_network: network,
    ingress: [web],
    egress: [everything],
  });
  const made = await atRest(site, "security_groups", id);
  expect(made.status).toEqual({
    state: "SECURITY_GROUP_STATE_READY",
    wanted_version: 1,
    applied_version: 1,
  });
  const added = (): string[] => {
    const all = rulesOnFabric(site);
    for (const rule of before) all.splice(all.indexOf(rule), 1);
    return all;
  };
  expect(added()).toEqual(["egress IPv4 any all anywhere", "ingress IPv4 tcp 443 0.0.0.0/0"]);

  const inside = { protocol: "PROTOCOL_ALL", security_group: "web" };
  const changed = await site.api("PATCH", `security_groups/${id}`, {
    spec: { ingress: [{ ...web, port_from: 80, port_to: 80 }, inside] },
  });
  expect(changed.body.status).toMatchObject({
    state: "SECURITY_GROUP_STATE_PENDING",
    wanted_version: 2,
    applied_version: 1,
  });
  expect((await atRest(site, "security_groups", id)).status).toEqual({
    state: "SECURITY_GROUP_STATE_READY",
    wanted_version: 2,
    applied_version: 2,
  });
  expect(added()).toEqual([
    "egress IPv4 any all anywhere",
    "ingress IPv4 any all a group",
    "ingress IPv4 tcp 80 0.0.0.0/0",
    "ingress IPv6 any all a group",
  ]);
  expect((await site.api("DELETE", `security_groups/${id}`)).status).toBe(200);
  expect(await atRest(site, "security_groups", id)).toBeUndefined();
  expect(added()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("says that rules do not apply while the fabric refuses them, and applies them once it takes them", async () => {
  const site = await openSite();
  await withNetworks(site);
  const network = await readyNetwork(site, "shop");
  const spec = { virtual_network: network, ingress: [web], egress: [] };
  const id = await orderOf(site, "security_groups", "web", spec);
  await atRest(site, "security_groups", id);
  const refusing = site.world.faults.add({
    target: "fabric",
    operation: "POST /v2.0/security-group-rules",
    fault: "error",
    status: 400,
    count: 0,
  });
  await site.api("PATCH", `security_groups/${id}`, { spec: { egress: [everything] } });
  const failed = await atRest(site, "security_groups", id);
  expect(failed.status).toMatchObject({
    state: "SECURITY_GROUP_STATE_FAILED",
    wanted_version: 2,
    applied_version: 1,
  });
  expect(failed.status.message).toContain("ApplyRules");
  expect(refusing.id).toBeGreaterThan(0);
  site.world.faults.clear();
  await site.api("PATCH", `security_groups/${id}`, { spec: { egress: [everything, web] } });
  expect((await atRest(site, "security_groups", id)).status).toEqual({
    state: "SECURITY_GROUP_STATE_READY",
    wanted_version: 3,
    applied_version: 3,
  });
  expect(await wrongInBooks(site)).toEqual([]);
});

it("refuses to delete a network with subnets and groups, and a group that others name, by their ids", async () => {
  const site = await openSite();
  await withNetworks(site);
  const { network, subnet } = await networkWithSubnet(site);
  const spec = { virtual_network: network, ingress: [web] };
  const front = await orderOf(site, "security_groups", "front", spec);
  await atRest(site, "security_groups", front);
  const rule = { protocol: "PROTOCOL_ALL", security_group: "front" };
  const back = await orderOf(site, "security_groups", "back", {
    virtual_network: network,
    ingress: [rule],
  });
  await atRest(site, "security_groups", back);
  const ofNetwork = await site.api("DELETE", `virtual_networks/${network}`);
  expect(ofNetwork.status).toBe(400);
  for (const id of [subnet, front, back]) expect(ofNetwork.body.message).toContain(id);
  const ofGroup = await site.api("DELETE", `security_groups/${front}`);
  expect(ofGroup.status).toBe(400);
  expect(ofGroup.body.message).toContain(back);
  const ofClass = await site.admin("DELETE", "network_classes/isolated");
  expect(ofClass.status).toBe(400);
  expect(ofClass.body.message).toContain(network);
  expect((await site.api("GET", `virtual_networks/${network}`)).body.status.state).toBe(
    "VIRTUAL_NETWORK_STATE_READY",
  );
});
