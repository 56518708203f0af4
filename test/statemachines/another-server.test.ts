import { expect, it } from "vitest";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import { versionsOf } from "../../sim/bmc/firmware.ts";
import { hostId } from "../../sim/host.ts";
import { wrongInBooks } from "../support/books.ts";
import {
  addServer,
  freeServer,
  hostOf,
  machineOf,
  metal,
  untilHost,
  withMetal,
} from "../support/managed-hosts.ts";
import { siteAfter } from "../support/save-site.ts";
import { openSite, type Site } from "../support/site.ts";

/** Another server than the known one is behind the address of a controller: it is not touched. */

const swap = (site: Site) =>
  site.world.faults.add({
    ...{ target: "bmc:server-1", operation: "another server" },
    ...{ fault: "hold", count: 0 },
  });
const swapBack = (site: Site) => site.world.faults.clear();
/** The same server has other names, as with a new mainboard. */
const replaceMainboard = (site: Site) =>
  site.world.bmcs.machines.put({
    ...machineOf(site, 1),
    ...{ serial: "NEWBOARD1", uuid: "4c4c4544-0042-4b10-8051-b4c04f303199" },
  });

const ask = async (site: Site, id: string, verb: string) => {
  const { status, body } = await site.admin("POST", `hosts/${id}/${verb}`);
  return { status, message: JSON.stringify(body) };
};
/** What the audit has of a host's requests of this verb, the oldest first. */
const auditOf = async (site: Site, id: string, verb: string) => {
  const { status, body } = await site.admin("GET", `audit_entries?object=${id}&limit=1000`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items.filter((entry: { verb: string }) => entry.verb === verb);
};
const identityOf = async (site: Site, id: string) => (await hostOf(site, id)).status.identity;

const free = async () => {
  const { site, brought: id } = await siteAfter(freeServer);
  return { site, id };
};

it("keeps who a server is at the first contact", { tags: "smoke" }, async () => {
  const { site, id } = await free();
  const { serial } = machineOf(site, 1);
  expect(await identityOf(site, id)).toEqual({
    is_identified: true,
    known: {
      serial_number: serial.toUpperCase(),
      uuid: hostId("server-1"),
      since: expect.any(String),
    },
  });
});

it("touches no server that is another one than before, and goes on when the known one is back", async () => {
  const { site, id } = await free();
  swap(site);
  expect((await ask(site, id, "validate")).status).toBe(200);
  await untilHost(site, id, "QUARANTINED");
  const { message, identity } = (await hostOf(site, id)).status;
  expect(message).toMatch(
    /^expected the server with serial number .* \(known since .*\); since .* its controller reports serial number ANOTHER-.*\. Nothing was done to it: fix the cable or the address and retry, or accept the new identity$/,
  );
  // Asked again, it is still another one, since the same time.
  await site.laptop.pass(5 * 60_000);
  expect((await ask(site, id, "retry")).status).toBe(200);
  await untilHost(site, id, "QUARANTINED");
  expect((await identityOf(site, id)).other).toEqual(identity.other);
  expect(site.world.bmcs.touched()).toEqual([]);
  swapBack(site);
  expect((await ask(site, id, "retry")).status).toBe(200);
  await untilHost(site, id, "AVAILABLE");
  expect(await identityOf(site, id)).not.toHaveProperty("other");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("begins no update of firmware on another server", async () => {
  const { site, id } = await free();
  const firmware = [
    { component: "bios", version: "2.1.6", image: "https://firmware.test/bios-2.1.6.bin" },
  ];
  expect((await site.admin("PATCH", `host_types/${metal}`, { firmware })).status).toBe(200);
  swap(site);
  expect((await ask(site, id, "update_firmware")).status).toBe(200);
  await untilHost(site, id, "QUARANTINED");
  expect((await hostOf(site, id)).status.message).toContain("its controller reports serial number");
  expect(site.world.bmcs.touched()).toEqual([]);
  expect([...site.calls].filter((call) => call.includes("SimpleUpdate"))).toEqual([]);
  swapBack(site);
  expect((await ask(site, id, "retry")).status).toBe(200);
  await untilHost(site, id, "AVAILABLE");
  expect(versionsOf(machineOf(site, 1)).bios).toBe("2.1.6");
});

it("learns who a server is that was registered before that was kept, and takes no other one then", async () => {
  const { site, id } = await free();
  const before = await identityOf(site, id);
  await changeObject(site.laptop.deps, "host", id, ({ identity: _, ...host }) => host);
  expect(await identityOf(site, id)).toBeUndefined();
  expect((await ask(site, id, "validate")).status).toBe(200);
  await untilHost(site, id, "AVAILABLE");
  expect((await identityOf(site, id)).known).toEqual({
    ...before.known,
    since: expect.any(String),
  });
  swap(site);
  expect((await ask(site, id, "validate")).status).toBe(200);
  await untilHost(site, id, "QUARANTINED");
  expect(site.world.bmcs.touched()).toEqual([]);
});

it("takes a server with a new mainboard once a person accepts it, and erases it first", async () => {
  const { site, id } = await free();
  expect(await ask(site, id, "accept_identity")).toMatchObject({ status: 400 });
  replaceMainboard(site);
  site.world.bmcs.machines.write(hostId("server-1"), "whoever had the board");
  await ask(site, id, "validate");
  await untilHost(site, id, "QUARANTINED");
  expect(machineOf(site, 1).drives.every(({ written }) => written !== undefined)).toBe(true);
  expect((await ask(site, id, "accept_identity")).status).toBe(200);
  await untilHost(site, id, "AVAILABLE");
  expect(machineOf(site, 1).drives.every(({ written }) => written === undefined)).toBe(true);
  const { known } = await identityOf(site, id);
  expect(known).toMatchObject({ serial_number: "NEWBOARD1", accepted_by: "root" });
  expect(await auditOf(site, id, "accept_identity")).toMatchObject([
    { actor: { user: "root" }, result: "AUDIT_RESULT_REFUSED" },
    {
      actor: { user: "root" },
      result: "AUDIT_RESULT_ACCEPTED",
      before: { status: { identity: { other: { serial_number: "NEWBOARD1" } } } },
      after: { status: { identity: { known: { serial_number: "NEWBOARD1" } } } },
    },
  ]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("does not erase another server that is there when a host comes back from its cluster", async () => {
  const { site, id } = await free();
  const cluster = await site.order("c1", { template: { id: "metal" } });
  await site.settled(cluster);
  swap(site);
  await site.api("DELETE", `clusters/${cluster}`);
  await site.settled(cluster);
  await untilHost(site, id, "QUARANTINED");
  expect(site.world.bmcs.touched()).toEqual([]);
  expect((await hostOf(site, id)).status.server.condition).toBe("SERVER_CONDITION_USED");
  swapBack(site);
  await ask(site, id, "retry");
  await untilHost(site, id, "AVAILABLE");
});

it("finds at its first contact that a server is not the one of the inventory", async () => {
  const site = await openSite();
  await withMetal(site);
  const id = await addServer(site, 1, { serial: "7X1KQ54" });
  await untilHost(site, id, "QUARANTINED");
  const { message } = (await hostOf(site, id)).status;
  expect(message).toContain("expected the server with serial number 7X1KQ54 (by the inventory)");
  const changing = machineOf(site, 1);
  expect([changing.power, changing.tasks, changing.images]).toEqual(["Off", [], {}]);
  await ask(site, id, "accept_identity");
  // Its agent tells another number than the inventory still.
  await untilHost(site, id, "QUARANTINED");
  expect((await hostOf(site, id)).status.message).toContain("expected serial number 7X1KQ54");
});

it("works on with a controller that tells nothing of who it is, and says so", async () => {
  const site = await openSite();
  await withMetal(site);
  const names = { serial: "To be filled by O.E.M.", uuid: "00000000-0000-0000-0000-000000000000" };
  const id = await addServer(site, 1, { names });
  await untilHost(site, id, "AVAILABLE");
  expect(await identityOf(site, id)).toEqual({
    is_identified: false,
    known: { since: expect.any(String) },
  });
});

it("waits while a controller tells none of the names that it told before", async () => {
  const { site, id } = await free();
  const before = machineOf(site, 1);
  site.world.bmcs.machines.put({ ...before, serial: "N/A", uuid: "" });
  await ask(site, id, "validate");
  await site.laptop.pass(10 * 60_000);
  expect((await hostOf(site, id)).status.state).toBe("HOST_STATE_DISCOVERING");
  expect(machineOf(site, 1)).toMatchObject({ power: before.power, drives: before.drives });
  site.world.bmcs.machines.put({ ...machineOf(site, 1), serial: before.serial, uuid: before.id });
  await untilHost(site, id, "AVAILABLE");
});
