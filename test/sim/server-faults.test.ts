import { beforeEach, describe, expect, it } from "vitest";
import { minutes, seconds } from "../../core/clock.ts";
import type { BootSource } from "../../core/ports/bare-metal/server.ts";
import { agentNamespace } from "../../core/ports/hub/reported-kinds.ts";
import { controlApi } from "../../sim/control.ts";
import { hostId, type NewHost } from "../../sim/host.ts";
import { type Agent, read } from "../../sim/operators/objects.ts";
import { controllerOf, machineOf, newServer } from "../support/servers.ts";
import { advanceUntil, type TestWorld, testWorld } from "../support/sim-world.ts";

let test: TestWorld;
let host: NewHost;
const other = newServer("server-2", 2);

beforeEach(async () => {
  test = await testWorld();
  host = newServer("server-1", 1, "supermicro");
  test.world.addHost(host);
  test.world.addHost(other);
  await test.clock.advance(seconds(1));
});

const fault = async (body: object): Promise<number> => {
  const request = new Request("http://sim/faults", { method: "POST", body: JSON.stringify(body) });
  return (await controlApi(test.world)(request)).status;
};
const agent = (id = "hub-a"): Agent | undefined => {
  const found = test.world.hub(id).cluster.get("Agent", agentNamespace, hostId(host.name));
  return found && read<Agent>(found);
};
const bmc = (of = host) => controllerOf(test.world, test.clock, of);
const asked = <T>(call: Promise<T>) => test.clock.until(call);
const machine = () => machineOf(test.world, host);
const image = () => test.hub.image ?? "";

async function boot(source: BootSource = { from: "media" }): Promise<void> {
  if (machine()?.images.VirtualMedia1 === undefined) await asked(bmc().insertMedia(image()));
  await asked(bmc().bootOnce(source));
  await asked(bmc().powerCycle());
}

describe("a controller of which a fault was asked", () => {
  it("is unreachable for as long as that is there, and the others are not", async () => {
    expect(await fault({ target: "bmc:server-1", fault: "crash_before", count: 0 })).toBe(201);
    await expect(asked(bmc().observe())).rejects.toMatchObject({ kind: "Unavailable" });
    expect(await asked(bmc(other).observe())).toEqual({ power: "off" });
    test.world.faults.clear();
    expect(await asked(bmc().observe())).toEqual({ power: "off" });
  });

  it("says that it is done, and does nothing", async () => {
    const operation = "POST /redfish/v1/Systems";
    await fault({ target: "bmc:server-1", operation, fault: "ignore", count: 0 });
    await boot();
    await test.clock.advance(minutes(20));
    expect(machine()).toMatchObject({ power: "Off", images: { VirtualMedia1: image() } });
    expect(agent()).toBeUndefined();
    test.world.faults.clear();
    await boot();
    await advanceUntil(test.clock, () => agent() !== undefined, minutes(7));
  });

  it("accepts the power, which does not come until the fault is gone", async () => {
    await fault({ target: "bmc:server-1", operation: "power", fault: "hold" });
    await boot();
    await test.clock.advance(minutes(20));
    expect(await asked(bmc().observe())).toMatchObject({ power: "turning_on" });
    expect(agent()).toBeUndefined();
    test.world.faults.clear();
    await test.clock.advance(seconds(30));
    expect(await asked(bmc().observe())).toMatchObject({ power: "on" });
    await advanceUntil(test.clock, () => agent() !== undefined, minutes(4));
  });

  it("is refused for what is none, and where there is no such host or hub", async () => {
    expect(await fault({ target: "bmc:nobody", fault: "error" })).toBe(404);
    expect(await fault({ target: "bmc", operation: "boot nowhere", fault: "error" })).toBe(404);
    expect(await fault({ target: "bmc", operation: "mac nobody", fault: "error" })).toBe(404);
    for (const wrong of [
      { target: "bmc", operation: "power", fault: "error" },
      { target: "bmc", operation: "boot", fault: "hold" },
      { target: "bmc", operation: "wipe slowly", fault: "hold" },
      { target: "bmc", operation: "GET /redfish", fault: "ignore" },
      { target: "bmc", fault: "ignore" },
      { target: "hub", operation: "power", fault: "hold" },
      { target: "fabric", operation: "POST /v2.0", fault: "ignore" },
    ])
      expect(await fault(wrong), JSON.stringify(wrong)).toBe(400);
  });
});

describe("a server", () => {
  it("boots its disk though it was told to boot the image: once", async () => {
    await fault({ target: "bmc:server-1", operation: "boot", fault: "error" });
    await boot();
    await test.clock.advance(minutes(20));
    expect(machine()?.booted).toEqual({ from: "media", url: image() });
    expect(agent()).toBeUndefined();
    await boot();
    await advanceUntil(test.clock, () => agent() !== undefined, minutes(7));
  });

  it("boots the image of another hub", async () => {
    await fault({ target: "bmc:server-1", operation: "boot hub-b", fault: "error" });
    await boot();
    await advanceUntil(test.clock, () => agent("hub-b") !== undefined, minutes(7));
    await test.clock.advance(minutes(20));
    expect(agent()).toBeUndefined();
  });

  it("has an agent with the MAC addresses of another host: once", async () => {
    await fault({ target: "bmc:server-1", operation: "mac server-2", fault: "error" });
    const macs = () => agent()?.status?.inventory?.interfaces.map(({ macAddress }) => macAddress);
    const of = ({ nics }: NewHost) => nics.map(({ mac }) => mac);
    await boot();
    await advanceUntil(test.clock, () => agent() !== undefined, minutes(7));
    expect(macs()).toEqual(of(other));
    await test.clock.advance(minutes(5));
    expect(macs()).toEqual(of(other));
    await boot();
    await advanceUntil(test.clock, () => macs()?.[0] === of(host)[0], minutes(7));
    expect(macs()).toEqual(of(host));
  });
});

describe("a drive that cannot be wiped", () => {
  const marks = () => machine()?.drives.map(({ written }) => written);
  const erase = async () => {
    const { drives } = bmc();
    const [first] = (await asked(drives?.list() ?? Promise.resolve([]))) ?? [];
    const task = await asked(drives?.erase(first?.id ?? "", "cryptographic") ?? Promise.reject());
    await test.clock.advance(minutes(1));
    return (await asked(bmc().observe(task))).task?.state;
  };

  beforeEach(async () => {
    test.world.bmcs.machines.write(hostId(host.name), "somebody");
    await asked(bmc().powerOn());
    await test.clock.advance(minutes(3));
  });

  it.each([
    ["refuses", "Rejected"],
    ["fails", "failed"],
    ["lies", "done"],
  ])("%s for as long as the fault is there", async (how, end) => {
    await fault({ target: "bmc:server-1", operation: `wipe ${how}`, fault: "hold" });
    expect(await erase().catch(({ kind }) => kind)).toBe(end);
    expect(marks()).toEqual(["somebody", "somebody"]);
    test.world.faults.clear();
    expect(await erase()).toBe("done");
    expect(marks()).toEqual([undefined, "somebody"]);
  });
});

describe("the ledger", () => {
  const held = () =>
    test.world
      .ledger()
      .filter(({ id, kind }) => id.startsWith(hostId(host.name)) && kind !== "host")
      .map(({ kind }) => kind);

  it("has what a server holds, and nothing of one that is off and blank", async () => {
    expect(held()).toEqual([]);
    const session = await asked(
      test.world.fetch("https://192.168.200.1/redfish/v1/SessionService/Sessions", {
        method: "POST",
        body: JSON.stringify({
          UserName: test.world.bmcs.credential.username,
          Password: test.world.bmcs.credential.password,
        }),
      }),
    );
    expect(session.status).toBe(201);
    expect(held()).toEqual(["bmc_session"]);
    await asked(bmc().insertMedia(image()));
    await asked(bmc().powerOn());
    test.world.bmcs.machines.write(hostId(host.name), "somebody");
    expect(held()).toEqual(["power", "virtual_media", "bmc_session", "disk_mark", "disk_mark"]);
    await asked(bmc().ejectMedia());
    await asked(bmc().powerOff("forced"));
    await test.clock.advance(minutes(6));
    expect(held()).toEqual(["disk_mark", "disk_mark"]);
  });
});
