import { beforeEach, describe, expect, it } from "vitest";
import { minutes, seconds } from "../../../core/clock.ts";
import { openDatabase } from "../../../sim/database.ts";
import { layer3, links, order, TestFabric } from "../../support/fabric.ts";

let test: TestFabric;
let network: string;
beforeEach(async () => {
  test = new TestFabric();
  await test.run(test.fabric.ensureLayer2(order, 120));
  await test.run(test.fabric.ensureLayer3(order, layer3));
  network = test.sim.state.records.all("network")[1]?.id ?? "";
});

const mac = "52:54:00:00:01:01";
const binding = (port = "Ethernet1/1", name = "leaf-a1") => ({
  "binding:vnic_type": "baremetal",
  "binding:host_id": "node-1",
  "binding:profile": { local_link_information: [{ switch_info: name, port_id: port }] },
});
const post = (body: object = binding()) =>
  test.ask("POST", "/v2.0/ports", { port: { network_id: network, mac_address: mac, ...body } });
const put = (id: string, port: object) => test.ask("PUT", `/v2.0/ports/${id}`, { port });
const bindings = () => test.sim.ledger().filter(({ kind }) => kind === "port_binding");
const failPlug = (count = 1) =>
  test.faults.add({ target: "fabric", operation: "PUT /switches/", fault: "error", count });

describe("a bare-metal port", () => {
  it("is bound at once and ACTIVE when its switch is done; then the switch port is in the VLAN", async () => {
    const { body } = await post();
    expect(body.port).toMatchObject({ "binding:vif_type": "other", status: "DOWN" });
    expect(test.sim.vlanOf("leaf-a1", "Ethernet1/1")).toBeUndefined();
    expect(bindings()).toEqual([]);
    await test.clock.advance(seconds(15));
    const { body: later } = await test.ask("GET", `/v2.0/ports/${body.port.id}`);
    expect(later.port.status).toBe("ACTIVE");
    expect(test.sim.vlanOf("leaf-a1", "Ethernet1/1")).toBe(120);
    expect(bindings()).toMatchObject([{ id: "leaf-a1/Ethernet1/1:120" }]);
  });

  it("waits for its turn at the switch", async () => {
    await post();
    const second = await post({ ...binding("Ethernet1/2"), mac_address: "52:54:00:00:02:02" });
    await test.clock.advance(seconds(9));
    const { body } = await test.ask("GET", `/v2.0/ports/${second.body.port.id}`);
    expect(body.port.status).toBe("DOWN");
    await test.clock.advance(seconds(21));
    expect(bindings()).toHaveLength(2);
  });

  it.each([
    ["an unknown switch", binding("Ethernet1/1", "leaf-x")],
    ["an unknown port", binding("Ethernet9/9")],
    ["another kind of NIC", { ...binding(), "binding:vnic_type": "normal" }],
    ["no links", { ...binding(), "binding:profile": {} }],
  ])("says in its body that it could not be bound: %s", async (_, body) => {
    const answer = await post(body);
    expect(answer.status).toBe(201);
    expect(answer.body.port).toMatchObject({
      "binding:vif_type": "binding_failed",
      status: "DOWN",
    });
    const again = await put(answer.body.port.id, { ...binding() });
    expect(again.body.port["binding:vif_type"]).toBe("other");
  });

  it("keeps its MAC address while it is bound", async () => {
    const { body } = await post();
    const change = { mac_address: "52:54:00:00:01:99" };
    expect((await put(body.port.id, change)).body.NeutronError).toMatchObject({
      type: "PortBound",
      message: `Unable to complete operation on port ${body.port.id}, port is already bound, port type: other, old_mac ${mac}, new_mac 52:54:00:00:01:99.`,
    });
    await put(body.port.id, { "binding:host_id": "", "binding:profile": {} });
    expect((await put(body.port.id, change)).status).toBe(200);
  });

  it("goes away again when the switch fails while it is made", async () => {
    failPlug();
    const answer = await post();
    expect(answer).toMatchObject({
      status: 500,
      body: { NeutronError: { type: "GenericSwitchNetmikoConnectError" } },
    });
    expect(test.sim.state.records.all("port").filter((port) => port.mac_address === mac)).toEqual(
      [],
    );
  });

  it("stays bound and down when the switch fails at a change, and hides a second failure", async () => {
    const { body } = await post({});
    failPlug(2);
    expect((await put(body.port.id, binding())).status).toBe(500);
    const again = await put(body.port.id, binding());
    expect(again.status).toBe(200);
    expect(again.body.port).toMatchObject({ "binding:vif_type": "other", status: "DOWN" });
    await test.clock.advance(minutes(5));
    expect(bindings()).toEqual([]);
    await put(body.port.id, binding());
    await test.clock.advance(minutes(1));
    expect(bindings()).toHaveLength(1);
  });

  it("leaves its VLAN behind when taking it off fails, until the network goes", async () => {
    const { body } = await post();
    await test.clock.advance(minutes(1));
    test.faults.add({ target: "fabric", operation: "DELETE /switches/", fault: "error" });
    expect((await test.ask("DELETE", `/v2.0/ports/${body.port.id}`)).status).toBe(204);
    expect(test.sim.vlanOf("leaf-a1", "Ethernet1/1")).toBe(120);
    expect(bindings()).toHaveLength(1);
    await test.removeAll();
    expect(test.sim.vlanOf("leaf-a1", "Ethernet1/1")).toBeUndefined();
  });

  it("has an address and a MAC that nobody else on the network has", async () => {
    await post();
    expect((await post()).body.NeutronError).toMatchObject({
      type: "MacAddressInUse",
      message: `Unable to complete operation for network ${network}. The mac address ${mac} is in use.`,
    });
    const fixed = { fixed_ips: [{ ip_address: "10.0.3.20" }], mac_address: "52:54:00:00:07:07" };
    await post(fixed);
    expect((await post({ ...fixed, mac_address: "52:54:00:00:07:08" })).body.NeutronError).toEqual({
      type: "IpAddressAlreadyAllocated",
      message: expect.stringMatching(/^IP address 10\.0\.3\.20 already allocated in subnet \S+$/),
      detail: "",
    });
  });
});

describe("DHCP", () => {
  it("answers a NIC whose switch port is in the VLAN, once the agent is there", async () => {
    await test.run(test.fabric.ensureAttachments(order, links));
    expect(test.sim.dhcpLease(mac)).toBeUndefined();
    await test.clock.advance(minutes(2));
    const [port] = test.sim.state.records.all("port").filter((one) => one.mac_address === mac);
    expect(test.sim.dhcpLease(mac)).toEqual({
      address: port?.fixed_ips[0]?.ip_address,
      prefixLength: 26,
      gateway: "10.0.3.1",
      dnsServers: ["192.0.2.53"],
      vlan: 120,
      isRouted: true,
    });
    await test.run(test.fabric.removeAttachments(order));
    expect(test.sim.dhcpLease(mac)).toBeUndefined();
  });

  it("does not answer a NIC that is cabled elsewhere than the inventory says", async () => {
    await post(binding("Ethernet1/2"));
    await test.clock.advance(minutes(1));
    expect(test.sim.dhcpLease(mac)).toBeUndefined();
  });

  it("is nothing without a subnet that has it", async () => {
    test = new TestFabric();
    await test.run(test.fabric.ensureLayer2(order, 120));
    network = test.sim.state.records.all("network")[1]?.id ?? "";
    await test.ask("POST", "/v2.0/subnets", {
      subnet: { network_id: network, ip_version: 4, cidr: "10.0.3.0/26", enable_dhcp: false },
    });
    await post();
    await test.clock.advance(minutes(1));
    expect(test.sim.vlanOf("leaf-a1", "Ethernet1/1")).toBe(120);
    expect(test.sim.dhcpLease(mac)).toBeUndefined();
  });

  it("is silent while the prefix has no address left for its agent", async () => {
    test = new TestFabric();
    await test.run(test.fabric.ensureLayer2(order, 120));
    const range = { first: "10.0.3.10", last: "10.0.3.10" };
    await test.run(test.fabric.ensureLayer3(order, { ...layer3, range }));
    await test.run(test.fabric.ensureAttachments(order, links.slice(0, 1)));
    await test.clock.advance(minutes(1));
    expect(test.sim.vlanOf("leaf-a1", "Ethernet1/1")).toBe(120);
    expect(test.sim.dhcpLease(mac)).toBeUndefined();
  });

  it("says when there is no way out", async () => {
    await post();
    await test.clock.advance(minutes(1));
    const [router] = test.sim.state.records.all("router");
    const [, subnet] = test.sim.state.records.all("subnet");
    const path = `/v2.0/routers/${router?.id}/remove_router_interface`;
    await test.ask("PUT", path, { subnet_id: subnet?.id });
    expect(test.sim.dhcpLease(mac)).toMatchObject({ isRouted: false });
  });
});

describe("the simulated fabric", () => {
  it("tells those who watch when time has changed something, and then is quiet", async () => {
    await post();
    const seen: (number | undefined)[] = [];
    const stop = test.sim.watch(() => seen.push(test.sim.vlanOf("leaf-a1", "Ethernet1/1")));
    await test.clock.advance(minutes(1));
    expect(seen.at(-1)).toBe(120);
    expect(test.clock.pending).toBe(0);
    stop();
    await test.run(test.fabric.removeAttachments(order));
  });

  it("goes on where it was when it is opened again, in the middle of a plug", async () => {
    const database = openDatabase(":memory:");
    test = new TestFabric({}, { database });
    await test.createAll();
    const { clock } = test;
    const before = test.sim.ledger();
    const credential = test.sim.keystone.credential;
    test.sim.stop();
    test = new TestFabric({}, { database, clock });
    expect(test.sim.ledger()).toEqual(before);
    expect(test.sim.keystone.credential).toEqual(credential);
    expect(bindings()).toEqual([]);
    await clock.advance(minutes(2));
    expect(bindings()).toHaveLength(3);
    const { attachments } = await test.run(test.fabric.observe(order));
    expect(attachments.map(({ state }) => state)).toEqual(["bound", "bound", "bound"]);
  });

  it("gives everything in its ledger an owner, except what the provider had", async () => {
    await test.createAll();
    await test.clock.advance(minutes(2));
    const items = test.sim.ledger();
    expect(items.filter(({ owner }) => !owner).map(({ kind }) => kind)).toEqual([
      "network",
      "subnet",
      "prefix",
    ]);
    for (const { system, owner } of items) {
      expect(system).toBe("fabric");
      if (owner) expect(owner).toEqual({ tenant: "tenant-a", kind: "cluster", id: order.id });
    }
    expect(new Set(items.map(({ kind, id }) => `${kind} ${id}`)).size).toBe(items.length);
  });
});
