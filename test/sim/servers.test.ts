import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hours, minutes, seconds } from "../../core/clock.ts";
import type { BootSource } from "../../core/ports/bare-metal/server.ts";
import { agentNamespace } from "../../core/ports/hub/reported-kinds.ts";
import { vendorNames } from "../../sim/bmc/profiles.ts";
import { openDatabase } from "../../sim/database.ts";
import { hostId, type NewHost } from "../../sim/host.ts";
import { type Agent, read } from "../../sim/operators/objects.ts";
import type { Order } from "../support/deployment.ts";
import { controllerOf, machineOf, newServer } from "../support/servers.ts";
import { addressesOf, askFabric, NamedOrder } from "../support/sim-site.ts";
import {
  advanceUntil,
  applyAll,
  condition,
  deleteAll,
  isReady,
  orderOf,
  stateOf,
  type TestWorld,
  testWorld,
} from "../support/sim-world.ts";
import { loadSchemas, violations } from "../support/structural-schema.ts";

let test: TestWorld;
let host: NewHost;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "slipway-servers-"));
  test = await testWorld({ database: openDatabase(join(folder, "world.sqlite")) });
  host = newServer("server-1", 1);
  test.world.addHost(host);
  await test.clock.advance(seconds(1));
});

afterEach(async () => {
  await test.world.stop();
  test.database.close();
  await rm(folder, { recursive: true, force: true });
});

const hub = (id = "hub-a") => test.world.hub(id);
const image = (id = "hub-a") => hub(id).image ?? "";
const agent = (id = "hub-a"): Agent | undefined => {
  const found = hub(id).cluster.get("Agent", agentNamespace, hostId(host.name));
  return found && read<Agent>(found);
};
const state = () => agent() && stateOf(agent() as Agent);
const bmc = () => controllerOf(test.world, test.clock, host);
const asked = <T>(call: Promise<T>) => test.clock.until(call);
const machine = () => machineOf(test.world, host);

/** Has the server boot from this source, with this image in its drive. */
async function boot(source: BootSource, media?: string): Promise<void> {
  if (media !== undefined) await asked(bmc().insertMedia(media));
  await asked(bmc().bootOnce(source));
  await test.clock.advance(seconds(20));
  await asked(bmc().powerCycle());
}

/** Ends the world without a word, and opens it again. */
async function reopened(): Promise<void> {
  await test.world.stop();
  test.database.close();
  const database = openDatabase(join(folder, "world.sqlite"));
  test = await testWorld({ database }, test.clock.now());
}

const discovered = () => advanceUntil(test.clock, () => state() === "known-unbound", minutes(10));

describe("a server that is off", () => {
  it("has no agent, however long one waits", async () => {
    await test.clock.advance(hours(3));
    expect(agent()).toBeUndefined();
    expect(machine()).toMatchObject({ power: "Off" });
    expect(await asked(bmc().observe())).toEqual({ power: "off" });
    expect(await asked(bmc().identify())).toMatchObject({
      uuid: hostId(host.name),
      serial: "SN-server-1",
      macs: host.nics.map(({ mac }) => mac),
    });
  });

  it("answers to its own credential, where it has one", async () => {
    const credential = { username: "root", password: "its-own" };
    host = { ...newServer("server-2", 2, "hpe"), server: { vendor: "hpe", credential } };
    test.world.addHost(host);
    expect(await asked(bmc().observe())).toMatchObject({ power: "off" });
    host = { ...host, server: { vendor: "hpe" } };
    await expect(asked(bmc().observe())).rejects.toMatchObject({ kind: "Unavailable" });
  });

  it("is refused with the controller of another, and as one that was discovered", () => {
    const other = newServer("server-2", 2);
    expect(() => test.world.addHost({ ...other, bmc: host.bmc })).toThrow("192.168.200.1");
    expect(() => test.world.addHost({ ...other, discovered: true })).toThrow("switched off");
    expect(() => test.world.addHost({ ...other, bmc: { address: "ipmi://10.0.0.1" } })).toThrow(
      "Redfish",
    );
  });
});

describe("a server that boots the discovery image of a hub", () => {
  it.each(vendorNames)("has its agent register there a while later: %s", async (vendor) => {
    host = newServer("server-9", 9, vendor);
    test.world.addHost(host);
    await boot({ from: "media" }, image());
    await advanceUntil(test.clock, () => machine()?.booted !== undefined, minutes(4));
    expect(machine()?.booted).toEqual({ from: "media", url: image() });
    await test.clock.advance(minutes(3) - seconds(6));
    expect(agent()).toBeUndefined();
    await test.clock.advance(seconds(6));
    expect(state()).toBe("discovering-unbound");
    await discovered();
    expect(agent()?.spec.approved).toBe(false);
    expect(addressesOf(hub().cluster, hostId(host.name))).toEqual([
      [expect.stringMatching(/^10\.1\..*\/16$/)],
      [],
    ]);
    expect(agent("hub-b")).toBeUndefined();
  });

  it("may have it over HTTP, too", async () => {
    await boot({ from: "http", url: image() });
    await discovered();
  });

  it("has its agent on that hub, though it stands at another", async () => {
    await boot({ from: "media" }, image("hub-b"));
    await test.clock.advance(minutes(8));
    expect(agent()).toBeUndefined();
    expect(agent("hub-b")?.status?.debugInfo?.state).toBe("known-unbound");
  });

  it.each([seconds(30), minutes(3), minutes(5), minutes(7)])(
    "goes on in a world that is opened again after %i ms",
    async (after) => {
      const times = async (isReopened: boolean) => {
        const began = test.clock.now();
        const firsts = new Map<string, number>();
        await boot({ from: "media" }, image());
        const note = (until: number) =>
          advanceUntil(test.clock, () => {
            const now = String(state());
            if (!firsts.has(now)) firsts.set(now, test.clock.now() - began);
            return test.clock.now() - began >= until;
          });
        await note(after);
        if (isReopened) await reopened();
        await note(minutes(9));
        return [...firsts];
      };
      const expected = await times(false);
      await asked(bmc().ejectMedia());
      await asked(bmc().powerOff("forced"));
      await test.clock.advance(minutes(5));
      expect(state()).toBe("disconnected-unbound");
      hub().cluster.delete("Agent", agentNamespace, hostId(host.name));
      expect(await times(true)).toEqual(expected);
      expect(expected.map(([each]) => each)).toEqual([
        "undefined",
        "discovering-unbound",
        "known-unbound",
      ]);
    },
  );
});

describe("a server has no agent", () => {
  it("without power", async () => {
    await asked(bmc().insertMedia(image()));
    await asked(bmc().bootOnce({ from: "media" }));
    await test.clock.advance(minutes(20));
    expect(machine()?.power).toBe("Off");
    expect(agent()).toBeUndefined();
  });

  it.each<[string, BootSource]>([
    ["the disk", { from: "disk" }],
    ["the network, which offers nothing", { from: "network" }],
    ["a drive without an image", { from: "media" }],
    ["a URL of nothing", { from: "http", url: "http://images.test/other.iso" }],
  ])("that boots from %s", async (_, source) => {
    if (source.from !== "media") await asked(bmc().insertMedia(image()));
    await boot(source);
    await test.clock.advance(minutes(20));
    expect(machine()?.power).toBe("On");
    expect(agent()).toBeUndefined();
  });

  it("that boots an image whose URL has run out meanwhile", async () => {
    const old = image();
    await test.clock.advance(hours(4));
    expect(image()).not.toBe(old);
    await boot({ from: "media" }, old);
    await test.clock.advance(minutes(20));
    expect(machine()?.booted).toEqual({ from: "media", url: old });
    expect(agent()).toBeUndefined();
    await asked(bmc().ejectMedia());
    await test.clock.advance(seconds(5));
    await boot({ from: "media" }, image());
    await discovered();
  });

  it("that gets no address on the network that it boots from, until it does", async () => {
    test.world.faults.add({ target: "hub:hub-a", operation: "address server-1", fault: "hold" });
    await boot({ from: "media" }, image());
    await test.clock.advance(minutes(20));
    expect(agent()).toBeUndefined();
    test.world.faults.clear();
    await discovered();
  });

  it("that boots in a VLAN without DHCP, until it is out of it", async () => {
    const base = orderOf(hub().cluster);
    const nodeSets = base.nodeSets.map((set) => ({ ...set, agents: [hostId(host.name)] }));
    const order = new NamedOrder(test, { ...base, nodeSets });
    await order.network();
    await order.attach();
    const { fabric } = test.world.site;
    for (const { id } of fabric.state.records.all("subnet"))
      await askFabric(test.world, "PUT", `/v2.0/subnets/${id}`, { subnet: { enable_dhcp: false } });
    await test.clock.advance(minutes(1));
    for (const { mac } of host.nics) expect(fabric.dhcpLease(mac)).toBeUndefined();
    await boot({ from: "media" }, image());
    await test.clock.advance(minutes(20));
    expect(agent()).toBeUndefined();
    await order.detach();
    await discovered();
  });

  it("that boots in a VLAN from which nothing leads to the hub, until it is out of it", async () => {
    const base = orderOf(hub().cluster);
    const nodeSets = base.nodeSets.map((set) => ({ ...set, agents: [hostId(host.name)] }));
    const order = new NamedOrder(test, { ...base, nodeSets });
    await order.network();
    await order.attach();
    const [router] = test.world.site.fabric.state.records.all("router");
    await askFabric(test.world, "PUT", `/v2.0/routers/${router?.id}`, {
      router: { external_gateway_info: null },
    });
    await boot({ from: "media" }, image());
    await test.clock.advance(minutes(20));
    expect(agent()).toBeUndefined();
    await order.detach();
    await discovered();
  });
});

describe("the agent of a server", () => {
  beforeEach(async () => {
    await boot({ from: "media" }, image());
    await discovered();
  });

  it("counts as disconnected when the power has been off for three minutes", async () => {
    const began = test.clock.now();
    await asked(bmc().powerOff("forced"));
    await advanceUntil(test.clock, () => state() === "disconnected-unbound", minutes(4));
    expect(test.clock.now() - began).toBeGreaterThanOrEqual(minutes(3));
    expect(condition(agent(), "Connected")).toMatchObject({
      status: "False",
      reason: "AgentIsDisconnected",
    });
    expect(condition(agent(), "Bound").status).toBe("False");
    await test.clock.advance(hours(2));
    expect(state()).toBe("disconnected-unbound");
    // The drive still has the image, but nobody said to boot it.
    await asked(bmc().powerOn());
    await test.clock.advance(minutes(10));
    expect(state()).toBe("disconnected-unbound");
    await asked(bmc().ejectMedia());
    await test.clock.advance(seconds(5));
    await boot({ from: "media" }, image());
    await discovered();
    expect(condition(agent(), "Connected").status).toBe("True");
  });

  it("begins anew when the server boots the image once more", async () => {
    await asked(bmc().bootOnce({ from: "media" }));
    await test.clock.advance(seconds(20));
    await asked(bmc().powerCycle());
    await advanceUntil(test.clock, () => state() === "discovering-unbound", minutes(7));
    await discovered();
  });

  it("does not come back when its Agent is deleted, until the server boots the image again", async () => {
    hub().cluster.delete("Agent", agentNamespace, hostId(host.name));
    await test.clock.advance(hours(1));
    await reopened();
    await test.clock.advance(hours(1));
    expect(agent()).toBeUndefined();
    await boot({ from: "media" }, image());
    await discovered();
  });
});

describe("a server that is installed", () => {
  const orderFor = () => {
    const order = orderOf(hub().cluster, 1);
    const nodeSets = order.nodeSets.map((set) => ({ ...set, agents: [hostId(host.name)] }));
    return { ...order, nodeSets };
  };
  const node = (order: Order) =>
    hub().hosted.get(order.controlPlaneNamespace)?.cluster.get("Node", undefined, host.name);
  const isNodeReady = (order: Order) => condition(node(order), "Ready").status === "True";
  let order: Order;

  beforeEach(async () => {
    await boot({ from: "media" }, image());
    await discovered();
    order = orderFor();
    applyAll(hub().cluster, order);
  });

  it("boots from its disk, and is a node as long as it runs what is there", async () => {
    await advanceUntil(test.clock, () => isReady(hub().cluster, order));
    expect(machine()?.booted).toEqual({ from: "disk" });
    expect(isNodeReady(order)).toBe(true);
    await asked(bmc().powerOff("forced"));
    await test.clock.advance(minutes(10));
    expect(isNodeReady(order)).toBe(false);
    expect(state()).toBe("added-to-existing-cluster");
    await asked(bmc().powerOn());
    await advanceUntil(test.clock, () => isNodeReady(order), minutes(6));
    await reopened();
    expect(isNodeReady(order)).toBe(true);
    await boot({ from: "media" }, image());
    await advanceUntil(test.clock, () => state() === "installing-pending-user-action", minutes(7));
    expect(isNodeReady(order)).toBe(false);
    await asked(bmc().bootOnce({ from: "disk" }));
    await test.clock.advance(seconds(20));
    await asked(bmc().powerCycle());
    await advanceUntil(test.clock, () => state() === "added-to-existing-cluster", minutes(7));
    await advanceUntil(test.clock, () => isNodeReady(order), minutes(2));
  });

  it("boots the image of its hub by itself when its cluster lets it go", async () => {
    await advanceUntil(test.clock, () => isReady(hub().cluster, order));
    await deleteAll({ cluster: hub().cluster, clock: test.clock }, order);
    expect(state()).toBe("known-unbound");
    expect(machine()?.booted).toEqual({ from: "disk" });
    // What is on its disk is there still.
    await boot({ from: "disk" });
    await advanceUntil(test.clock, () => state() === "disconnected-unbound", minutes(10));
  });

  it("is left to its user when it is off as its cluster lets it go", async () => {
    await advanceUntil(test.clock, () => isReady(hub().cluster, order));
    await asked(bmc().powerOff("forced"));
    hub().cluster.delete("HostedCluster", order.namespace, order.hostedCluster);
    await advanceUntil(test.clock, () => state() === "unbinding-pending-user-action", hours(2));
    expect(condition(agent(), "Bound").reason).toBe("UnbindingPendingUserAction");
    await advanceUntil(
      test.clock,
      () => !hub().cluster.get("HostedCluster", order.namespace, order.hostedCluster),
    );
    await boot({ from: "media" }, image());
    await discovered();
  });

  it("waits for its user when it has the wrong boot order", async () => {
    await advanceUntil(test.clock, () => state() === "installing-in-progress");
    // A change by hand: the drive comes first, for good.
    const now = machine();
    if (now) {
      const boot = { enabled: "Continuous", target: "Cd", mode: "UEFI" } as const;
      test.world.bmcs.machines.put({ ...now, boot });
    }
    await advanceUntil(test.clock, () => state() === "installing-pending-user-action", minutes(9));
    await test.clock.advance(minutes(30));
    expect(state()).toBe("installing-pending-user-action");
    await boot({ from: "disk" });
    await advanceUntil(test.clock, () => state() === "added-to-existing-cluster", minutes(9));
    await advanceUntil(test.clock, () => isReady(hub().cluster, order));
  });

  it("fails when its power goes before it has restarted, and comes back by a boot alone", async () => {
    await advanceUntil(test.clock, () => state() === "installing-in-progress");
    await asked(bmc().powerOff("forced"));
    await advanceUntil(test.clock, () => state() === "error", minutes(5));
    hub().cluster.delete("HostedCluster", order.namespace, order.hostedCluster);
    await advanceUntil(test.clock, () => state() === "disconnected-unbound");
    await boot({ from: "media" }, image());
    await discovered();
  });
});

describe("what the agent of a server reports of it", () => {
  const inventory = () => agent()?.status?.inventory;
  /** Of its drives, without the virtual one. */
  const isBootable = () =>
    inventory()
      ?.disks.filter(({ driveType }) => driveType !== "ODD")
      .map(({ bootable }) => bootable);

  it("is what is in the machine", async () => {
    const drive = {
      id: "Disk.Bay.3",
      name: "Drive in bay 3",
      serial: "Z1",
      model: "ST4000",
      protocol: "SATA",
      media: "HDD",
      bytes: 4_000_787_030_016,
      methods: ["overwrite"],
      written: "somebody-before",
    } as const;
    const hardware = { cpus: 1, cores: 16, memory: 2 ** 36, gpus: [{ model: "L40S", count: 2 }] };
    const drives = [{ ...drive, methods: [...drive.methods] }];
    host = { ...newServer("server-2", 2, "hpe"), server: { vendor: "hpe", hardware, drives } };
    test.world.addHost(host);
    await boot({ from: "media" }, image());
    await discovered();
    expect(inventory()).toMatchObject({
      cpu: { count: 16 },
      memory: { physicalBytes: 2 ** 36 },
      disks: [
        { name: "sda", driveType: "HDD", serial: "Z1", sizeBytes: drive.bytes, bootable: true },
        { name: "sr0", driveType: "ODD", bootable: true },
      ],
      gpus: [{ name: "L40S" }, { name: "L40S" }],
      interfaces: host.nics.map(({ name, mac }) => ({ name, macAddress: mac })),
      systemVendor: { manufacturer: "HPE", serialNumber: "SN-server-2" },
    });
    const schema = loadSchemas().get("agent-install.openshift.io/v1beta1/Agent");
    expect(schema ? violations(schema, agent()) : []).toEqual([]);
  });

  it("tells the next one who takes it that a tenant's disks were not erased", async () => {
    await boot({ from: "media" }, image());
    await discovered();
    expect(isBootable()).toEqual([false, false]);
    const base = orderOf(hub().cluster, 1);
    const nodeSets = base.nodeSets.map((set) => ({ ...set, agents: [hostId(host.name)] }));
    const order = { ...base, nodeSets };
    applyAll(hub().cluster, order);
    await advanceUntil(test.clock, () => isReady(hub().cluster, order));
    await deleteAll({ cluster: hub().cluster, clock: test.clock }, order);
    expect(isBootable()).toEqual([true, true]);
    const written = machine()?.drives.map((drive) => drive.written);
    expect(written).toEqual([order.hostedCluster, order.hostedCluster]);
    const now = machine();
    if (now)
      test.world.bmcs.machines.put({
        ...now,
        drives: now.drives.map(({ written: _, ...drive }) => drive),
      });
    // What the agent has found it found when it was started.
    await reopened();
    await test.clock.advance(minutes(10));
    expect(isBootable()).toEqual([true, true]);
    await boot({ from: "media" }, image());
    await advanceUntil(test.clock, () => state() === "discovering-unbound");
    await discovered();
    expect(isBootable()).toEqual([false, false]);
  });
});

describe("a hub's InfraEnv", () => {
  const infraEnv = () => hub().cluster.get("InfraEnv", agentNamespace, agentNamespace);
  const schema = loadSchemas().get("agent-install.openshift.io/v1beta1/InfraEnv");

  it.skipIf(!schema)("is as its definition wants it", () => {
    expect(schema && violations(schema, infraEnv())).toEqual([]);
  });

  it("has another URL of its image every four hours where there are servers", async () => {
    const first = infraEnv();
    expect(first?.status).toMatchObject({ createdTime: expect.any(String) });
    expect(image()).toMatch(/^https:\/\/.*hub-a.*\.iso$/);
    expect(image()).not.toBe(image("hub-b"));
    await test.clock.advance(hours(4) - minutes(1));
    expect(infraEnv()).toEqual(first);
    await test.clock.advance(minutes(1));
    expect(infraEnv()?.status).not.toEqual(first?.status);
    await test.clock.advance(hours(12));
    expect(infraEnv()?.metadata.generation).toBe(first?.metadata.generation);
  });

  it("keeps its first URL where there are none", async () => {
    const other = await testWorld();
    await other.clock.advance(seconds(1));
    const url = other.hub.image;
    expect(url).toMatch(/\.iso$/);
    await other.clock.advance(hours(9));
    expect(other.hub.image).toBe(url);
    expect(other.clock.pending).toBe(0);
  });
});
