import { expect, it } from "vitest";
import { hours, minutes } from "../../core/clock.ts";
import { vendorNames } from "../../sim/bmc/profiles.ts";
import { hostId } from "../../sim/host.ts";
import { wrongInBooks } from "../support/books.ts";
import { addServer, hostOf, machineOf, untilHost, withMetal } from "../support/managed-hosts.ts";
import { openSite, type Site } from "../support/site.ts";

/** Controllers that say otherwise than it is, as their users report of real ones. */

const lie = (site: Site, operation: string) =>
  site.world.faults.add({ target: "bmc:server-1", operation, fault: "hold", count: 0 });

const slow = (takes: number) =>
  [0, 1].map((bay) => ({
    ...{ id: `Disk.Bay.${bay}`, name: `Drive in bay ${bay}`, serial: `S${bay}`, model: "PM1743" },
    ...{ protocol: "NVMe" as const, media: "SSD" as const, bytes: 1_920_383_410_176 },
    ...{ methods: ["block" as const], written: "a tenant of before", takes },
  }));

it.each(["links foreign", "tasks untold"])(
  "counts an erasure as done at its end, two hours later, where a controller has %s",
  async (what) => {
    const site = await openSite();
    await withMetal(site);
    lie(site, what);
    const id = await addServer(site, 1, { vendor: "lenovo", drives: slow(hours(2)) });
    const drives = async () => (await hostOf(site, id)).status.server?.drives ?? [];
    const begun = () => machineOf(site, 1).tasks.filter(({ erases, since }) => erases && since);
    await site.laptop.until(async () => begun().length > 0, "the erasure to begin");
    await site.laptop.pass(hours(1));
    expect(await drives()).toMatchObject([{ state: "pending" }, { state: "pending" }]);
    await untilHost(site, id, "AVAILABLE");
    expect(machineOf(site, 1).drives.map(({ written }) => written)).toEqual([undefined, undefined]);
    const ended = begun().map(({ since = 0, takes }) => since + takes);
    const said = (await drives()).map(({ erased_at }: { erased_at: string }) =>
      Date.parse(erased_at),
    );
    expect(said.every((at: number) => at >= Math.min(...ended))).toBe(true);
    expect(await wrongInBooks(site)).toEqual([]);
  },
);

it("waits for an erasure of which its controller tells nothing, and says so with the controller and the drive", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  await withMetal(site);
  lie(site, "tasks unknown");
  const id = await addServer(site, 1, { vendor: "lenovo", drives: slow(minutes(3)) });
  await site.laptop.pass(minutes(50));
  const { server } = (await hostOf(site, id)).status;
  expect(server.condition).toBe("SERVER_CONDITION_UNKNOWN");
  const message = expect.stringMatching(
    /^the controller \S+ has accepted Drive.SecureErase of drive Drive in bay 0 .* names no task for it/,
  );
  expect(server.drives[0]).toMatchObject({ state: "pending", message });
});

/** Counts the erasures that the controller has accepted, by drive. */
function accepted(site: Site): () => number[] {
  const tasks = new Map<string, string>();
  site.world.bmcs.machines.watch((machine) => {
    for (const { id, erases } of machine.tasks) if (erases) tasks.set(id, erases);
  });
  return () =>
    [0, 1].map((bay) => [...tasks.values()].filter((drive) => drive.endsWith(`.${bay}`)).length);
}

it.each(["dell", "hpe", "lenovo"] as const)(
  "requests an erasure again of which a controller of %s has told nothing for an hour",
  async (vendor) => {
    const site = await openSite();
    await withMetal(site);
    lie(site, "tasks unknown");
    const times = accepted(site);
    const id = await addServer(site, 1, { vendor });
    site.world.bmcs.machines.write(hostId("server-1"), "a tenant of before");
    await site.laptop.pass(minutes(50));
    expect(times()).toEqual([1, 1]);
    site.world.faults.clear();
    await site.laptop.pass(hours(2));
    expect((await hostOf(site, id)).status.state).toBe("HOST_STATE_AVAILABLE");
    expect(times()).toEqual([2, 2]);
    expect(machineOf(site, 1).drives.map(({ written }) => written)).toEqual([undefined, undefined]);
    expect(await wrongInBooks(site)).toEqual([]);
  },
);

it("leaves an overwrite alone for longer, as it may run still", async () => {
  const site = await openSite();
  await withMetal(site);
  lie(site, "tasks unknown");
  const times = accepted(site);
  const drives = slow(hours(6)).map((drive) => ({ ...drive, methods: ["overwrite" as const] }));
  await addServer(site, 1, { vendor: "supermicro", drives });
  await site.laptop.pass(hours(2));
  expect(times()).toEqual([1, 1]);
});

it("sets a server aside after five erasures of which nothing is told", async () => {
  const site = await openSite();
  await withMetal(site);
  lie(site, "tasks unknown");
  const times = accepted(site);
  const id = await addServer(site, 1, { vendor: "hpe" });
  await site.laptop.pass(hours(6));
  const { state, message, server } = (await hostOf(site, id)).status;
  expect({ state, condition: server.condition }).toEqual({
    state: "HOST_STATE_QUARANTINED",
    condition: "SERVER_CONDITION_UNKNOWN",
  });
  expect(message).toMatch(
    /^expected drive Drive in bay \d \(serial number \S+\) to be erased; its controller accepted that 5 times and knows nothing of it/,
  );
  expect(JSON.stringify(server.drives)).not.toContain("erased_at");
  expect(times()).toEqual([5, 5]);
});

it("takes no drive for another one that was erased, where nobody has entered their numbers", async () => {
  const site = await openSite();
  await withMetal(site);
  const [first, second] = slow(minutes(1)).map((drive) => ({ ...drive, serial: "N/A" }));
  if (!first || !second) throw new Error("there are two drives");
  const drives = [first, { ...second, takes: hours(2) }];
  const id = await addServer(site, 1, { vendor: "lenovo", drives });
  const conditionOf = async () => (await hostOf(site, id)).status.server;
  await site.laptop.until(
    async () => (await conditionOf()).drives?.[0]?.state === "done",
    "the first drive to be erased",
  );
  // The controller calls its drives otherwise after a start.
  const { tasks, ...machine } = machineOf(site, 1);
  site.world.bmcs.machines.put({
    ...machine,
    drives: machine.drives.map((drive) => ({ ...drive, id: `${drive.id}-0` })),
    tasks: tasks.map((task) => (task.erases ? { ...task, erases: `${task.erases}-0` } : task)),
  });
  await site.laptop.pass(minutes(30));
  expect(machineOf(site, 1).drives.map(({ written }) => written)).toContain("a tenant of before");
  expect((await conditionOf()).condition).toBe("SERVER_CONDITION_UNKNOWN");
});

it("does not take an erasure for ended that goes on when it is requested again", async () => {
  const site = await openSite();
  await withMetal(site);
  lie(site, "tasks unknown");
  const id = await addServer(site, 1, { vendor: "hpe", drives: slow(minutes(80)) });
  await site.laptop.pass(minutes(70));
  site.world.faults.clear();
  expect(machineOf(site, 1).drives.every(({ written }) => written !== undefined)).toBe(true);
  expect((await hostOf(site, id)).status.server.condition).toBe("SERVER_CONDITION_UNKNOWN");
  await site.laptop.pass(hours(1));
  expect((await hostOf(site, id)).status.state).toBe("HOST_STATE_AVAILABLE");
  expect(machineOf(site, 1).drives.map(({ written }) => written)).toEqual([undefined, undefined]);
});

it.each(vendorNames)(
  "offers a server of %s whose controller names itself by another authority, once it is erased",
  async (vendor) => {
    const site = await openSite();
    await withMetal(site);
    lie(site, "links foreign");
    const id = await addServer(site, 1, { vendor });
    site.world.bmcs.machines.write(hostId("server-1"), "a tenant of before");
    await untilHost(site, id, "AVAILABLE");
    expect(machineOf(site, 1).drives.every(({ written }) => written === undefined)).toBe(true);
  },
);

it("leaves no session behind at a controller whose links name another authority", async () => {
  const site = await openSite();
  await withMetal(site);
  lie(site, "links foreign");
  const id = await addServer(site, 1, { sessions: "wanted and told" });
  await untilHost(site, id, "AVAILABLE");
  expect(site.world.bmcs.sessions(hostId("server-1"))).toBe(0);
});
