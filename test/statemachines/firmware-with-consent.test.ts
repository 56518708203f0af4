import { expect, it } from "vitest";
import { hours, minutes } from "../../core/clock.ts";
import { versionsOf } from "../../sim/bmc/firmware.ts";
import { wrongInBooks } from "../support/books.ts";
import { oneServer, orderServer, serverOf } from "../support/instances.ts";
import { hostOf, machineOf, metal, untilHost } from "../support/managed-hosts.ts";
import { atRest } from "../support/networks.ts";
import { siteAfter } from "../support/save-site.ts";
import type { Site, Wire } from "../support/site.ts";

/** The firmware of a host that a tenant has is updated once the tenant has consented, or has released it. */

const conditionOf = ({ status }: Wire, type: string): Wire =>
  status.conditions.find((each: Wire) => each.type.endsWith(`_TYPE_${type}`));

/** A tenant's server, on whose host another BIOS is asked for. */
async function withWish(): Promise<{ site: Site; id: string; host: string }> {
  const {
    site,
    brought: { hosts },
  } = await siteAfter(oneServer);
  const [host = ""] = hosts;
  const id = await orderServer(site, "db-1");
  await atRest(site, "baremetal_instances", id);
  const image = "https://firmware.test/bios-2.1.6.bin";
  const firmware = [{ component: "bios", version: "2.1.6", image }];
  expect((await site.admin("PATCH", `host_types/${metal}`, { firmware })).status).toBe(200);
  expect((await site.admin("POST", `hosts/${host}/update_firmware`)).status).toBe(200);
  await site.laptop.until(
    async () => conditionOf(await serverOf(site, id), "MAINTENANCE").reason === "ConsentAwaited",
    "the server to say so",
  );
  return { site, id, host };
}

const consent = async (site: Site, id: string): Promise<void> => {
  const path = `baremetal_instances/${id}/maintenance`;
  const { status, body } = await site.api("POST", path, { consent: "now" });
  expect(status, JSON.stringify(body)).toBe(200);
};

it("and the server runs again with its disk and its addresses", { tags: "smoke" }, async () => {
  const { site, id, host } = await withWish();
  const before = await serverOf(site, id);
  const drives = machineOf(site, 1).drives;
  expect(conditionOf(before, "MAINTENANCE").message).toBe(
    "the firmware of the server is to be updated; it is off meanwhile, and keeps its disk and its addresses; your consent is awaited",
  );
  await site.laptop.pass(hours(1));
  expect(versionsOf(machineOf(site, 1)).bios).toBe("1.0.0");
  await consent(site, id);
  const after = await atRest(site, "baremetal_instances", id);
  expect(after.status.state, JSON.stringify(after.status)).toMatch(/_RUNNING$/);
  expect(conditionOf(after, "MAINTENANCE").reason).toBe("NoMaintenance");
  expect(after.status.network_attachment_statuses).toEqual(
    before.status.network_attachment_statuses,
  );
  expect(versionsOf(machineOf(site, 1)).bios).toBe("2.1.6");
  expect(machineOf(site, 1).drives).toEqual(drives);
  const { status } = await hostOf(site, host);
  expect(status).not.toHaveProperty("firmware_update");
  expect(status.firmware[1]).toMatchObject({ version: "2.1.6", stale: false });
  expect(await wrongInBooks(site)).toEqual([]);
});

it("is tried once for each consent, and when the server is released without one", async () => {
  const { site, id, host } = await withWish();
  site.world.faults.add({ target: "bmc:server-1", operation: "firmware fails", fault: "hold" });
  await consent(site, id);
  const failed = await atRest(site, "baremetal_instances", id);
  expect(conditionOf(failed, "RESTART_FAILED").message).toMatch(
    /expected BIOS 2\.1\.6; the controller reports 1\.0\.0 after 1 try: /,
  );
  expect(conditionOf(failed, "MAINTENANCE").reason).toBe("RepairFailed");
  await site.laptop.pass(hours(1));
  expect((await serverOf(site, id)).status.operation).toBeUndefined();
  site.world.faults.clear();
  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  await untilHost(site, host, "UPDATING");
  await site.laptop.pass(minutes(1));
  expect(machineOf(site, 1).drives.every(({ written }) => written === undefined)).toBe(true);
  await untilHost(site, host, "AVAILABLE");
  expect(versionsOf(machineOf(site, 1)).bios).toBe("2.1.6");
});
