import { expect, it } from "vitest";
import { minutes } from "../../core/clock.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { agentNamespace } from "../../core/ports/hub/reported-kinds.ts";
import { vendorNames } from "../../sim/bmc/profiles.ts";
import { durations } from "../../sim/durations.ts";
import { hostId } from "../../sim/host.ts";
import { kubeTime } from "../../sim/operators/conditions.ts";
import { wrongInBooks } from "../support/books.ts";
import {
  addServer,
  bootFromNetwork,
  expectNoAgent,
  freeServer,
  hostOf,
  machineOf,
  metal,
  untilHost,
  withMetal,
} from "../support/managed-hosts.ts";
import { recordsIn } from "../support/records.ts";
import { siteAfter } from "../support/save-site.ts";
import { openSite, type Site } from "../support/site.ts";

/** Hosts that are off: discovered, used, erased, back. */

/** The tokens of a host, by their values in the secret store. */
const tokensOf = (site: Site, id: string): string[] =>
  [...site.secrets.keys()].filter((name) => name.startsWith(`machine/host/${id}`));

it.each(vendorNames)(
  "erases and discovers a server of %s that is off, and offers it",
  async (vendor) => {
    const site = await openSite();
    await withMetal(site);
    const id = await addServer(site, 1, { vendor });
    await untilHost(site, id, "AVAILABLE");
    const { server, agent } = (await hostOf(site, id)).status;
    expect(server.condition).toBe("SERVER_CONDITION_READY");
    expect(agent.state).toBe("known-unbound");
    expect(server.drives.length).toBeGreaterThan(0);
    expect(server.drives.every(({ state }: { state: string }) => state === "done")).toBe(true);
    expect(machineOf(site, 1).images).toEqual({});
  },
);

it.each(vendorNames)(
  "discovers a server of %s from the network where its site says so",
  async (vendor) => {
    const site = await openSite();
    await withMetal(site);
    await bootFromNetwork(site);
    const id = await addServer(site, 1, { vendor });
    const tokens = () => tokensOf(site, id);
    await site.laptop.until(async () => tokens().length > 0, "a token for its boot");
    await untilHost(site, id, "AVAILABLE");
    expect(machineOf(site, 1).booted).toMatchObject({ from: "http" });
    expect((await hostOf(site, id)).status.server.condition).toBe("SERVER_CONDITION_READY");
    expect(tokens()).toEqual([]);
    expect(await wrongInBooks(site)).toEqual([]);
  },
);

/** A server whose controller shows no virtual drives for want of a licence, and erases only what is on. */
async function addUnlicensed(site: Site): Promise<string> {
  await withMetal(site);
  await bootFromNetwork(site);
  const refusal = { fault: "error", status: 403, count: 0 } as const;
  const operation = "GET /redfish/v1/Managers/1/VirtualMedia";
  site.world.faults.add({ target: "bmc:server-1", operation, ...refusal });
  return addServer(site, 1, { vendor: "supermicro" });
}

it("erases and discovers a server from the network that has no virtual drive", async () => {
  const site = await openSite();
  const id = await addUnlicensed(site);
  await untilHost(site, id, "AVAILABLE");
  const { server } = (await hostOf(site, id)).status;
  expect(server.drives.every(({ state }: { state: string }) => state === "done")).toBe(true);
  expect(site.calls.filter((call) => call.includes("VirtualMedia"))).toEqual([]);
  expect(tokensOf(site, id)).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("ends the token of a boot from the network when the erasure for which it was fails", async () => {
  const site = await openSite();
  const id = await addUnlicensed(site);
  const { bmcs } = site.world;
  await site.laptop.until(() => bmcs.machines.get(hostId("server-1"))?.booted?.from === "http");
  expect(tokensOf(site, id)).toHaveLength(1);
  bmcs.machines.setDriveFault(hostId("server-1"), "Disk.Bay.0", "refuses");
  await untilHost(site, id, "QUARANTINED");
  expect((await hostOf(site, id)).status.server.quarantine.step).toBe("EraseDrives");
  expect(tokensOf(site, id)).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("boots no image of an earlier erasure, whose token has ended, when a server is tried again", async () => {
  const site = await openSite();
  const id = await addUnlicensed(site);
  const { bmcs, faults } = site.world;
  const { id: held } = faults.add({ target: "bmc:server-1", operation: "power", fault: "hold" });
  await untilHost(site, id, "QUARANTINED");
  const { enabled, uri: ended } = machineOf(site, 1).boot;
  expect([enabled, ended]).toEqual(["Once", expect.stringContaining("/site/v1/boot/")]);
  faults.clear((fault) => fault.id === held);
  const booted = new Set<string | undefined>();
  bmcs.machines.watch(({ id: machine, booted: now }) => {
    if (machine === hostId("server-1") && now) booted.add(now.from === "http" ? now.url : now.from);
  });
  expect((await site.admin("POST", `hosts/${id}/retry`)).status).toBe(200);
  await untilHost(site, id, "AVAILABLE");
  expect(booted.size).toBeGreaterThan(0);
  expect(booted).not.toContain(ended);
  expect(tokensOf(site, id)).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("sets a server aside that gets no address on the network, and ends the token of its boot", async () => {
  const site = await openSite();
  await withMetal(site);
  await bootFromNetwork(site);
  const hold = { fault: "hold", count: 0 } as const;
  site.world.faults.add({ target: "bmc:server-1", operation: "address", ...hold });
  const id = await addServer(site, 1);
  await untilHost(site, id, "QUARANTINED");
  await expectNoAgent(site, id);
  expect(tokensOf(site, id)).toEqual([]);
});

it("knows SAS drives again, of which the system of a server tells other names than its controller", async () => {
  const site = await openSite();
  await withMetal(site);
  const drives = [0, 1].map((bay) => ({
    ...{
      id: `Disk.Bay.${bay}`,
      name: `Drive in bay ${bay}`,
      serial: `WFK1${bay}`,
      model: "ST1800",
    },
    ...{ protocol: "SAS" as const, media: "HDD" as const, bytes: 1_800_360_124_416 },
    methods: ["cryptographic" as const],
  }));
  const id = await addServer(site, 1, { vendor: "hpe", drives });
  await untilHost(site, id, "AVAILABLE");
  const { server } = (await hostOf(site, id)).status;
  expect(server.drives).toMatchObject(drives.map(({ serial }) => ({ serial, state: "done" })));
});

it("logs into a controller by sessions where its host says so, and leaves none behind", async () => {
  const site = await openSite();
  await withMetal(site);
  const id = await addServer(site, 1, { sessions: "wanted and told" });
  await untilHost(site, id, "AVAILABLE");
  const { spec, status } = await hostOf(site, id);
  expect(spec.bmc).toEqual({ address: expect.any(String), authentication: "session" });
  expect(status.server.condition).toBe("SERVER_CONDITION_READY");
  expect(site.world.bmcs.sessions(hostId("server-1"))).toBe(0);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("waits where a controller refuses the login, and goes on once its host says how", async () => {
  const site = await openSite();
  await withMetal(site);
  const id = await addServer(site, 1, { sessions: "wanted" });
  await site.laptop.pass(10 * 60_000);
  const { status } = await hostOf(site, id);
  expect(status.state).toBe("HOST_STATE_DISCOVERING");
  const { body } = await site.admin("GET", `operations/${status.operation}`);
  expect(JSON.stringify(body.status)).toContain("does not accept our credentials");
  const spec = { bmc: { authentication: "session" } };
  const changed = await site.admin("PATCH", `hosts/${id}`, { spec });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  await untilHost(site, id, "AVAILABLE");
});

it("starts a server again with the discovery image that the hub has then: its URL is good for some hours alone", async () => {
  const site = await openSite();
  await withMetal(site);
  // The first start goes wrong, and the second one is when the URL of the first has run out.
  const old = site.laptop.clock.now() - durations.imageUrl + minutes(15);
  site.world
    .hub("hub-a")
    .cluster.patchStatus("InfraEnv", agentNamespace, agentNamespace, (status) => ({
      ...status,
      createdTime: kubeTime(old),
    }));
  site.world.faults.add({ target: "bmc:server-1", operation: "boot", fault: "error", count: 1 });
  const id = await addServer(site, 1);
  await untilHost(site, id, "AVAILABLE");
});

it("asks the hub before it starts a server again whose agent nobody has told of", async () => {
  const site = await openSite({ reports: false });
  await withMetal(site);
  const id = await addServer(site, 1);
  const starts = new Set<number | undefined>();
  await site.laptop.until(async () => {
    await site.laptop.report({ hub: "hub-a", heartbeat: true, news: [] });
    starts.add((await mustLoad(recordsIn(site.laptop.store), "host", id)).server?.boot?.number);
    return (await hostOf(site, id)).status.state === "HOST_STATE_AVAILABLE";
  }, "the host to be free");
  expect([...starts]).toEqual([undefined, 1]);
});

it("says whose a host is as soon as an order has claimed it", async () => {
  const { site, brought: id } = await siteAfter(freeServer);
  // From here on nothing happens to the host, so that its hub has nothing to report.
  site.world.faults.add({ target: "fabric", fault: "error", status: 503, count: 0 });
  const cluster = await site.order("c1", { template: { id: metal } });
  await untilHost(site, id, "RESERVED");
  expect((await hostOf(site, id)).status.owner).toMatchObject({ id: cluster, name: "c1" });
});

it("erases a server after its cluster, and offers it again", { tags: "smoke" }, async () => {
  const { site, brought: id } = await siteAfter(freeServer);
  const before = (await hostOf(site, id)).status.server.drives[0].erased_at;
  const cluster = await site.order("c1", { template: { id: metal } });
  expect((await site.settled(cluster)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect((await hostOf(site, id)).status.state).toBe("HOST_STATE_RESERVED");
  await site.api("DELETE", `clusters/${cluster}`);
  expect((await site.settled(cluster)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  await untilHost(site, id, "CLEANING");
  await untilHost(site, id, "AVAILABLE");
  const after = (await hostOf(site, id)).status.server.drives[0].erased_at;
  expect(Date.parse(after)).toBeGreaterThan(Date.parse(before));
});
