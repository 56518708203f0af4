import { expect, it } from "vitest";
import { hours, minutes } from "../../core/clock.ts";
import { versionsOf } from "../../sim/bmc/firmware.ts";
import type { VendorName } from "../../sim/bmc/profiles.ts";
import { wrongInBooks } from "../support/books.ts";
import {
  addServer,
  hostOf,
  machineOf,
  metal,
  untilHost,
  withMetal,
} from "../support/managed-hosts.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** The firmware of hosts that nobody has. */

const wanted = [
  { component: "bmc", version: "7.10", image: "https://firmware.test/bmc-7.10.bin" },
  { component: "bios", version: "2.1.6", image: "https://firmware.test/bios-2.1.6.bin" },
];

async function wish(site: Site, firmware: object[] = wanted): Promise<void> {
  const { status, body } = await site.admin("PATCH", `host_types/${metal}`, { firmware });
  expect(status, JSON.stringify(body)).toBe(200);
}

async function free(site: Site, vendor: VendorName = "dell"): Promise<string> {
  await withMetal(site);
  const id = await addServer(site, 1, { vendor });
  await untilHost(site, id, "AVAILABLE");
  return id;
}

const update = (site: Site, id: string) => site.admin("POST", `hosts/${id}/update_firmware`);
const firmwareOf = async (site: Site, id: string): Promise<Wire[]> =>
  (await hostOf(site, id)).status.firmware;

it.each<VendorName>(["dell", "hpe"])(
  "of a free server of %s is updated, and the server is free again",
  async (vendor) => {
    const site = await openSite();
    const id = await free(site, vendor);
    const before = await firmwareOf(site, id);
    expect(before).toEqual([
      { component: "bmc", version: "7.00", since: expect.any(String) },
      { component: "bios", version: "1.0.0", since: expect.any(String) },
    ]);
    await wish(site);
    expect(await firmwareOf(site, id)).toMatchObject([
      { version: "7.00", wanted: "7.10", stale: true },
      { version: "1.0.0", wanted: "2.1.6", stale: true },
    ]);

    const { status } = await update(site, id);
    expect(status).toBe(200);
    expect((await hostOf(site, id)).status.state).toBe("HOST_STATE_UPDATING");
    await untilHost(site, id, "AVAILABLE");
    expect(versionsOf(machineOf(site, 1))).toEqual({ bmc: "7.10", bios: "2.1.6" });
    const after = (await hostOf(site, id)).status;
    expect(after.firmware).toMatchObject([
      { version: "7.10", stale: false },
      { version: "2.1.6", stale: false },
    ]);
    expect(after.firmware[1].since > before[1].since).toBe(true);
    expect(after).not.toHaveProperty("firmware_update");
    expect(await wrongInBooks(site)).toEqual([]);

    // What is as it should be is left alone, and so is what is not asked for.
    expect((await update(site, id)).body.status.state).toBe("HOST_STATE_AVAILABLE");
    await wish(site, [{ ...wanted[1], version: "2.0.9" }]);
    expect(await firmwareOf(site, id)).toMatchObject([
      { component: "bmc", version: "7.10" },
      { component: "bios", version: "2.1.6", wanted: "2.0.9", stale: true },
    ]);
    expect((await firmwareOf(site, id))[0]).not.toHaveProperty("stale");
  },
);

it("is tried five times, an hour apart, and then the server is set aside with what was expected and seen", async () => {
  const site = await openSite();
  const id = await free(site);
  await wish(site);
  site.world.faults.add({ target: "bmc:server-1", operation: "firmware fails", fault: "hold" });
  await update(site, id);
  await site.laptop.pass(minutes(20));
  const { waiting } = (await hostOf(site, id)).status;
  expect(JSON.stringify(waiting)).toContain(
    "an hour to pass until BMC 7.10 is tried again: the controller's task is Failed",
  );
  await site.laptop.pass(hours(1));
  expect(JSON.stringify((await hostOf(site, id)).status.waiting)).toContain("(try 2 of 5)");
  await untilHost(site, id, "QUARANTINED");
  const { server, message, firmware_update: asked } = (await hostOf(site, id)).status;
  expect(server.quarantine.step).toBe("UpdateFirmware");
  expect(message).toMatch(
    /^expected BMC 7\.10; the controller reports 7\.00 after 5 tries: .*could not be written/,
  );
  expect(asked).toMatchObject({ by: expect.any(String) });
  expect((await update(site, id)).body.message).toMatch(/it is quarantined: retry or release it$/);

  // Mended: the same is done again, and only what is otherwise.
  site.world.faults.clear();
  expect((await site.admin("POST", `hosts/${id}/retry`)).status).toBe(200);
  await untilHost(site, id, "AVAILABLE");
  expect(versionsOf(machineOf(site, 1))).toEqual({ bmc: "7.10", bios: "2.1.6" });
});

it("that is told otherwise after a start is tried again; whoever releases its host asks no more for it", async () => {
  const site = await openSite();
  const id = await free(site, "lenovo");
  await wish(site, wanted.slice(1));
  site.world.faults.add({ target: "bmc:server-1", operation: "firmware stays", fault: "hold" });
  const { operation } = (await update(site, id)).body.status;
  const said =
    "an hour to pass until BIOS 2.1.6 is tried again: the controller reports 1.0.0 40 minutes after it was written";
  await site.laptop.until(
    async () => JSON.stringify((await hostOf(site, id)).status.waiting).includes(said),
    "the first try to fail",
  );
  expect((await site.admin("POST", `operations/${operation}/cancel`)).status).toBe(200);
  await untilHost(site, id, "QUARANTINED");
  expect((await site.admin("POST", `hosts/${id}/release`)).status).toBe(200);
  await untilHost(site, id, "AVAILABLE");
  expect((await hostOf(site, id)).status).not.toHaveProperty("firmware_update");
});

it("is updated though the controller's answer is lost, and it has staged what nobody knows a task of", async () => {
  const site = await openSite();
  const id = await free(site, "dell");
  await wish(site, wanted.slice(1));
  const operation = "POST /redfish/v1/UpdateService";
  site.world.faults.add({ target: "bmc:server-1", operation, fault: "crash_after" });
  await update(site, id);
  await site.laptop.pass(hours(1));
  await untilHost(site, id, "AVAILABLE");
  expect(versionsOf(machineOf(site, 1)).bios).toBe("2.1.6");
});

it.each<VendorName>(["dell", "lenovo"])(
  "is updated once, and by its version, where a controller of %s tells no tasks",
  async (vendor) => {
    const site = await openSite();
    const id = await free(site, vendor);
    await wish(site);
    for (const operation of ["tasks untold", "tasks unknown"])
      site.world.faults.add({ target: "bmc:server-1", operation, fault: "hold", count: 0 });
    const accepted = new Set<string>();
    site.world.bmcs.machines.watch(({ tasks }) => {
      for (const task of tasks) if (task.writes) accepted.add(task.id);
    });
    await update(site, id);
    await site.laptop.pass(minutes(15));
    expect((await hostOf(site, id)).status.state).toBe("HOST_STATE_UPDATING");
    await untilHost(site, id, "AVAILABLE");
    expect(versionsOf(machineOf(site, 1))).toEqual({ bmc: "7.10", bios: "2.1.6" });
    expect(accepted.size).toBe(2);
    expect(await wrongInBooks(site)).toEqual([]);
  },
);

it("that fails is not taken for done where a controller tells no tasks", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  const id = await free(site, "lenovo");
  await wish(site, wanted.slice(1));
  for (const operation of ["tasks unknown", "firmware fails"])
    site.world.faults.add({ target: "bmc:server-1", operation, fault: "hold", count: 0 });
  await update(site, id);
  const said = "the controller reports 1.0.0 40 minutes after it was written";
  await site.laptop.until(
    async () => JSON.stringify((await hostOf(site, id)).status.waiting).includes(said),
    "the first try to fail",
  );
  site.world.faults.clear();
  await untilHost(site, id, "AVAILABLE");
  expect(versionsOf(machineOf(site, 1)).bios).toBe("2.1.6");
});

it("of a server that a cluster has is updated once that has released it", async () => {
  const site = await openSite();
  const id = await free(site);
  await wish(site);
  const cluster = await site.order("c1", { template: { id: metal } });
  await site.settled(cluster);
  expect((await update(site, id)).body.status).toMatchObject({
    state: "HOST_STATE_RESERVED",
    firmware_update: { since: expect.any(String) },
  });
  await site.laptop.pass(minutes(20));
  expect(versionsOf(machineOf(site, 1)).bmc).toBe("7.00");
  expect((await site.api("DELETE", `clusters/${cluster}`)).status).toBe(200);
  await untilHost(site, id, "UPDATING");
  await untilHost(site, id, "AVAILABLE");
  expect(versionsOf(machineOf(site, 1))).toEqual({ bmc: "7.10", bios: "2.1.6" });
});

it("is refused in words where it is not asked for, not ours to update, or wrong", async () => {
  const site = await openSite();
  const id = await free(site);
  expect((await update(site, id)).body.message).toMatch(/its type 'metal' has no spec\.firmware$/);
  for (const [firmware, field] of [
    [
      [{ ...wanted[0], image: "https://user:secret@firmware.test/bmc-7.10.bin" }],
      "firmware[0].image",
    ],
    [[{ ...wanted[0], image: "ftp://firmware.test/bmc-7.10.bin" }], "firmware[0].image"],
    [[{ ...wanted[0], component: "disk" }], "firmware[0].component"],
    [[wanted[0], wanted[0]], "firmware"],
  ] as const) {
    const { status, body } = await site.admin("PATCH", `host_types/${metal}`, { firmware });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(`"${field}"`);
    expect(JSON.stringify(body)).not.toContain("user:secret");
  }
  await wish(site);
  // Tenants need not know where images are.
  expect((await site.api("GET", `host_types/${metal}`)).body).not.toHaveProperty("firmware");
});
