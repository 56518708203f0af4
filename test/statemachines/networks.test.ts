import { expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import {
  atRest,
  networkWithSubnet,
  orderOf,
  readyNetwork,
  withNetworks,
} from "../support/networks.ts";
import { openSite } from "../support/site.ts";

/** Tenants' networks, through the API, the sagas and the simulated fabric. */

it("makes a network and a subnet on the fabric, and takes both away again", async () => {
  const site = await openSite();
  await withNetworks(site);
  const { network, subnet } = await networkWithSubnet(site);
  const { body } = await site.api("GET", `subnets/${subnet}`);
  expect(body.status).toEqual({ state: "SUBNET_STATE_READY", gateways: ["10.20.1.1"] });
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
