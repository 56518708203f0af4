import { describe, expect, it } from "vitest";
import { type InventoryPage, unusable } from "../../../../../core/ports/inventory/inventory.ts";
import { inventoryContract } from "../contract.ts";
import { netboxFixture } from "./fixture.ts";

describe("an inventory in NetBox, by a token of version 2", () => {
  inventoryContract(() => netboxFixture("v2"));
});

describe("an inventory in NetBox 4.5, by a token of version 1", () => {
  inventoryContract(() => netboxFixture("v1", { version: 4.5 }));
});

type At = ReturnType<typeof netboxFixture>;

async function readOf(at: At, inventory = at.inventory, cursor?: InventoryPage["cursor"]) {
  const pages: InventoryPage[] = [];
  const read = async () => {
    for await (const page of inventory.read(cursor)) pages.push(page);
  };
  await at.run(read());
  return pages;
}
const serversOf = async (at: At, inventory = at.inventory) =>
  (await readOf(at, inventory)).flatMap(({ servers }) => servers);

describe("NetBox", () => {
  it("gets these requests for a reading of all", async () => {
    const at = netboxFixture("v2");
    const id = at.rack.server({ name: "server-1", number: 1 });
    await readOf(at);
    const device =
      "id,name,serial,site,rack,role,status,device_type,tags,oob_ip&ordering=id&limit=100";
    const port =
      "id,device,name,type,mgmt_only,mac_address,cable,link_peers,connected_endpoints,connected_endpoints_type,connected_endpoints_reachable&ordering=id&limit=500";
    expect(at.network.calls).toEqual([
      "GET /api/core/object-changes/?time_before=2025-12-31T23:58:00.000Z&ordering=-id&limit=1",
      `GET /api/dcim/devices/?role=server&fields=${device}`,
      `GET /api/dcim/interfaces/?device_id=${id}&fields=${port}`,
    ]);
    for (const { headers } of at.network.asked)
      expect(headers.authorization).toBe(`Bearer ${at.sim.tokens.v2}`);
  });

  it("is told a token of version 1 by its own keyword", async () => {
    const at = netboxFixture("v1");
    await readOf(at);
    expect(at.network.asked[0]?.headers.authorization).toBe(`Token ${at.sim.tokens.v1}`);
  });

  it("says of each device what Slipway needs", async () => {
    const at = netboxFixture("v2");
    const { records } = at.sim;
    const id = at.rack.server({ name: "server-1", number: 1 });
    const tag = records.add("extras.tag", { name: "Slipway hosts", slug: "slipway-hosts" }).id;
    const address = records.add("ipam.ipaddress", {
      ...{ address: "10.9.0.11/24", status: "active", description: "", dns_name: "" },
      ...{ tags: [], custom_fields: {}, assigned_object_id: null },
    }).id;
    records.change("dcim.device", id, { serial: "CN7016", tags: [tag], oob_ip: address });
    const [server] = await serversOf(at);
    expect(server).toMatchObject({
      id: String(id),
      name: "server-1",
      serial: "CN7016",
      site: "Hall 1",
      rack: "R01",
      role: "Server",
      status: "active",
      deviceType: "PowerEdge R760",
      tags: ["slipway-hosts"],
      outOfBand: "10.9.0.11",
    });
  });

  it("says of each interface why it cannot be used", async () => {
    const at = netboxFixture("v2");
    const { rack, sim } = at;
    const id = rack.server({ name: "server-1", number: 1 });
    const mac = (n: number) => ({ mac_address: `52:54:00:00:AA:0${n}` });
    const far = (name: string) => rack.interfaceAt(rack.port(rack.leaf, name));
    const near = (name: string, n: number) => rack.interfaceAt(rack.port(id, name, mac(n)));
    rack.cable(near("planned", 1), far("Ethernet41"), "planned");
    rack.cable(rack.interfaceAt(rack.port(id, "nameless")), far("Ethernet42"));
    sim.records.add("dcim.cable", {
      status: "connected",
      a_terminations: [near("breakout", 2)],
      b_terminations: [far("Ethernet43/1"), far("Ethernet43/2")],
    });
    const [server] = await serversOf(at);
    const said = server?.interfaces.map((one) => [one.name, unusable(one)]);
    expect(Object.fromEntries(said ?? [])).toEqual({
      eth0: undefined,
      eth1: "it has no cable",
      bond0: "it is not a physical interface",
      idrac: "it is for management alone",
      planned: "the way to leaf-1, Ethernet41 is not in use yet",
      nameless: "it has no MAC address",
      breakout:
        "its cable leads to leaf-1 Ethernet43/1, leaf-1 Ethernet43/2, which is not one port of a switch",
    });
  });

  it("takes the members of a stack for one switch, also those without a name", async () => {
    const at = netboxFixture("v2");
    const { rack, sim } = at;
    const id = rack.server({ name: "server-1", number: 1 });
    const member = (name: string | null, position: number) => {
      const device = rack.device("member", "switch");
      sim.records.change("dcim.device", device, {
        ...{ name, virtual_chassis: { name: "core-sw", position } },
      });
      return device;
    };
    const cabled = (name: string, n: number, device: number, port: string) =>
      rack.cable(
        rack.interfaceAt(rack.port(id, name, { mac_address: `52:54:00:00:AA:0${n}` })),
        rack.interfaceAt(rack.port(device, port)),
      );
    cabled("first", 1, member("core-sw", 1), "GigabitEthernet1/0/1");
    cabled("second", 2, member(null, 2), "GigabitEthernet2/0/1");
    const nameless = rack.device("member", "switch");
    sim.records.change("dcim.device", nameless, { name: null });
    cabled("third", 3, nameless, "Ethernet1");
    const [server] = await serversOf(at);
    const links = server?.interfaces.map(({ name, link }) => [name, link]);
    expect(Object.fromEntries(links ?? [])).toMatchObject({
      first: { state: "connected", switch: "core-sw", port: "GigabitEthernet1/0/1" },
      second: { state: "connected", switch: "core-sw", port: "GigabitEthernet2/0/1" },
      third: { state: "unclear" },
    });
  });

  it("reads only the devices that the site names", async () => {
    const at = netboxFixture("v2");
    at.rack.server({ name: "server-1", number: 1 });
    const planned = at.rack.server({ name: "server-2", number: 2 });
    at.sim.records.change("dcim.device", planned, { status: "planned" });
    const active = at.adapter(at.sim.tokens.v2, {
      role: "server",
      status: "active",
      site: "hall-1",
    });
    expect((await serversOf(at, active)).map(({ name }) => name)).toEqual(["server-1"]);
  });

  it("names a device gone that is none of the named ones any more", async () => {
    const at = netboxFixture("v2");
    const active = at.adapter(at.sim.tokens.v2, { status: "active" });
    const id = at.rack.server({ name: "server-1", number: 1 });
    await at.pass(300_000);
    const cursor = (await readOf(at, active)).at(-1)?.cursor;
    at.sim.records.change("dcim.device", id, { status: "decommissioning" });
    const pages = await readOf(at, active, cursor);
    expect(pages).toMatchObject([{ servers: [], gone: [String(id)], isOfAll: false }]);
  });

  it("reads a changed device alone where nothing else can have changed", async () => {
    const at = netboxFixture("v2");
    at.rack.server({ name: "server-1", number: 1 });
    const id = at.rack.server({ name: "server-2", number: 2 });
    await at.pass(300_000);
    const cursor = (await readOf(at)).at(-1)?.cursor;
    at.sim.records.change("dcim.device", id, { name: "renamed" });
    const pages = await readOf(at, at.inventory, cursor);
    expect(pages.flatMap(({ servers }) => servers.map(({ name }) => name))).toEqual(["renamed"]);
  });

  it("reads all again when the change log does not go back far enough", async () => {
    const at = netboxFixture("v2");
    at.rack.server({ name: "server-1", number: 1 });
    await at.pass(300_000);
    const cursor = (await readOf(at)).at(-1)?.cursor;
    at.rack.server({ name: "server-2", number: 2 });
    for (const { id } of at.sim.records.list("core.objectchange"))
      at.sim.records.remove("core.objectchange", id);
    await at.pass(300_000);
    const pages = await readOf(at, at.inventory, cursor);
    expect(pages.every(({ isOfAll }) => isOfAll)).toBe(true);
    expect(pages.flatMap(({ servers }) => servers)).toHaveLength(2);
  });

  it("is told what it lacks", async () => {
    const at = netboxFixture("v2");
    expect(await at.run(at.inventory.lacks())).toEqual(["device of server"]);
    at.rack.server({ name: "server-1", number: 1 });
    expect(await at.run(at.inventory.lacks())).toBeUndefined();
    const other = at.adapter(at.sim.tokens.v2, { role: "hypervisor" });
    await expect(at.run(other.lacks())).rejects.toMatchObject({
      kind: "Rejected",
      message:
        "NetBox refuses: role: Select a valid choice. hypervisor is not one of the available choices.",
    });
  });
});
