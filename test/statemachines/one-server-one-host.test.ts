import { expect, it } from "vitest";
import { minutes } from "../../core/clock.ts";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import { identitiesClaimedKey } from "../../core/kernel/object/keys.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import type { Machine } from "../../sim/bmc/machine.ts";
import { wrongInBooks } from "../support/books.ts";
import { oneServer, orderServer } from "../support/instances.ts";
import {
  addServer,
  freeServer,
  hostOf,
  machineOf,
  untilHost,
  withMetal,
} from "../support/managed-hosts.ts";
import { atRest } from "../support/networks.ts";
import { siteAfter } from "../support/save-site.ts";
import { openSite, type Site } from "../support/site.ts";

/** A server is one host: another host, or another name of its controller, does not get at it. */

/** The server of `number` is at the address of another one too, as by a second name of its controller. */
const serverAt = (site: Site, number: number, other: number) =>
  site.world.faults.add({
    ...{ target: `bmc:server-${other}`, operation: `server of server-${number}` },
    ...{ fault: "hold", count: 0 },
  });

/** A tenant's server runs on one host. */
const inUse = async () => {
  const {
    site,
    brought: { hosts },
  } = await siteAfter(oneServer);
  const [host = ""] = hosts;
  const server = await orderServer(site, "db-1");
  expect((await atRest(site, "baremetal_instances", server)).status.state).toMatch(/_RUNNING$/);
  const asItWas = ({ power, boot, booted, images, drives }: Machine) =>
    structuredClone({ power, boot, booted, images, drives });
  const before = asItWas(machineOf(site, 1));
  const known = machineOf(site, 1).tasks.map(({ id }) => id);
  const untouched = async () => {
    expect(asItWas(machineOf(site, 1))).toEqual(before);
    expect(known).toEqual(expect.arrayContaining(machineOf(site, 1).tasks.map(({ id }) => id)));
    const { status } = (await site.api("GET", `baremetal_instances/${server}`)).body;
    expect(status.state).toMatch(/_RUNNING$/);
  };
  return { site, host, server, untouched };
};

const messageOf = async (site: Site, id: string) => (await hostOf(site, id)).status.message;
const ask = (site: Site, id: string, verb: string) => site.admin("POST", `hosts/${id}/${verb}`);
const identityOf = async (site: Site, id: string) => (await hostOf(site, id)).status.identity;

it("does nothing to a tenant's server whose controller is registered by a second name", {
  tags: "smoke",
}, async () => {
  const { site, host, untouched } = await inUse();
  serverAt(site, 1, 2);
  const second = await addServer(site, 2);
  await untilHost(site, second, "QUARANTINED");
  await site.laptop.pass(minutes(10));
  await untouched();
  const { serial } = machineOf(site, 1);
  const message = await messageOf(site, second);
  expect(message).toContain(`the server with serial number ${serial.toUpperCase()}, UUID `);
  expect(message).toContain(
    ` is host '${host}' (server-1). Nothing was done to it: delete one of the two, or fix the cable or the address and retry`,
  );
  expect(await identityOf(site, second)).not.toHaveProperty("known");
  // Nobody can have it be the second one's, and no retry makes it so.
  const accepted = await ask(site, second, "accept_identity");
  expect([accepted.status, accepted.body.message]).toEqual([
    400,
    expect.stringContaining(`is host '${host}'`),
  ]);
  expect((await ask(site, second, "retry")).status).toBe(200);
  await untilHost(site, second, "QUARANTINED");
  await untouched();
  expect(await wrongInBooks(site)).toEqual([]);
  // What is mended goes on.
  site.world.faults.clear();
  expect((await ask(site, second, "retry")).status).toBe(200);
  await untilHost(site, second, "AVAILABLE");
  expect(await identityOf(site, second)).not.toHaveProperty("other");
  await untouched();
  expect(await wrongInBooks(site)).toEqual([]);
});

it("accepts no server that is another host's, whoever finds it", async () => {
  const { site, host, untouched } = await inUse();
  const second = await addServer(site, 2);
  await untilHost(site, second, "AVAILABLE");
  serverAt(site, 1, 2);
  expect((await ask(site, second, "validate")).status).toBe(200);
  await untilHost(site, second, "QUARANTINED");
  const accepted = await ask(site, second, "accept_identity");
  expect([accepted.status, accepted.body.message]).toEqual([
    400,
    expect.stringMatching(
      new RegExp(`^the identity of host '${second}' cannot be accepted: .* is host '${host}'`),
    ),
  ]);
  await site.laptop.pass(minutes(10));
  await untouched();
});

it("has the server be the second host's once the first is deleted", async () => {
  const { site, brought: first } = await siteAfter(freeServer);
  serverAt(site, 1, 2);
  const second = await addServer(site, 2);
  await untilHost(site, second, "QUARANTINED");
  expect((await site.admin("DELETE", `hosts/${first}`)).status).toBe(200);
  expect((await ask(site, second, "accept_identity")).status).toBe(200);
  const { serial } = machineOf(site, 1);
  expect((await identityOf(site, second)).known).toMatchObject({
    serial_number: serial.toUpperCase(),
    accepted_by: expect.any(String),
  });
  await site.laptop.pass(minutes(1));
  expect((await site.admin("GET", `hosts/${second}`)).body.status.message ?? "").not.toContain(
    "is host",
  );
});

it("moves the claim with an accepted identity: what a host was before is free", async () => {
  const { site, brought: first } = await siteAfter(freeServer);
  const old = machineOf(site, 1);
  site.world.bmcs.machines.put({
    ...old,
    ...{ serial: "NEWBOARD1", uuid: "4c4c4544-0042-4b10-8051-b4c04f303199" },
  });
  await ask(site, first, "validate");
  await untilHost(site, first, "QUARANTINED");
  expect((await ask(site, first, "accept_identity")).status).toBe(200);
  await untilHost(site, first, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
  const names = { serial: old.serial, uuid: old.uuid ?? old.id };
  await untilHost(site, await addServer(site, 2, { names }), "AVAILABLE");
  const again = { serial: "newboard1", uuid: "44454C4C-4200-104B-8051-B4C04F303199" };
  const third = await addServer(site, 3, { names: again });
  await untilHost(site, third, "QUARANTINED");
  expect(await messageOf(site, third)).toContain(`is host '${first}'`);
});

it.each<[string, { serial: string; uuid: string }, { serial: string; uuid: string }]>([
  [
    "one serial number of two makers",
    { serial: "S100", uuid: "4c4c4544-0042-4b10-8051-b4c04f303101" },
    { serial: "S100", uuid: "4c4c4544-0042-4b10-8051-b4c04f303102" },
  ],
  ["placeholders", { serial: "Default", uuid: "" }, { serial: "Default", uuid: "" }],
  ["two serial numbers", { serial: "S100", uuid: "" }, { serial: "S101", uuid: "" }],
])("has two servers with %s be two hosts", async (_, one, other) => {
  const site = await openSite();
  await withMetal(site);
  const ids = [
    await addServer(site, 1, { names: one }),
    await addServer(site, 2, { names: other }),
  ];
  for (const id of ids) await untilHost(site, id, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});

/** Leaves a host as the version before did: who it is known, and nothing claimed. */
async function asBefore(site: Site, id: string): Promise<void> {
  const { deps } = site.laptop;
  const claims = (await mustLoad(deps, "host", id)).identity?.claims ?? [];
  await deps.store.transact([
    ...claims.map((pk) => ({ delete: { pk, sk: "-" } })),
    { delete: identitiesClaimedKey },
  ]);
  await changeObject(deps, "host", id, (host) => {
    const { claims: _, ...identity } = host.identity ?? {};
    return { ...host, identity };
  });
}

it("keeps a tenant's server from before an upgrade from a new host that is a second name of it", async () => {
  const { site, host, untouched } = await inUse();
  await asBefore(site, host);
  serverAt(site, 1, 2);
  const second = await addServer(site, 2);
  await untilHost(site, second, "QUARANTINED");
  expect(await messageOf(site, second)).toContain(`is host '${host}'`);
  await untouched();
  expect(await wrongInBooks(site)).toEqual([]);
});

it("keeps it from a free host from before too, whichever is met first", async () => {
  const { site, host, untouched } = await inUse();
  const free = await addServer(site, 2);
  await untilHost(site, free, "AVAILABLE");
  await asBefore(site, host);
  await asBefore(site, free);
  const { identity } = await mustLoad(site.laptop.deps, "host", host);
  await changeObject(site.laptop.deps, "host", free, (now) => ({
    ...now,
    ...(identity && { identity }),
  }));
  serverAt(site, 1, 2);
  expect((await ask(site, free, "validate")).status).toBe(200);
  await untilHost(site, free, "QUARANTINED");
  expect(await messageOf(site, free)).toContain(`is host '${host}'`);
  await untouched();
});

it("claims the server of a host from before an upgrade at its next contact, and the second host is set aside", async () => {
  const site = await openSite();
  await withMetal(site);
  const ids = [
    await addServer(site, 1, { names: { serial: "S100", uuid: "" } }),
    await addServer(site, 2, { names: { serial: "S101", uuid: "" } }),
  ];
  const [first = "", second = ""] = ids;
  for (const id of ids) {
    await untilHost(site, id, "AVAILABLE");
    await asBefore(site, id);
    await changeObject(site.laptop.deps, "host", id, ({ identity: _, ...host }) => ({
      ...host,
      identity: { known: { serial: "S100", since: "2026-01-01T00:00:00Z" } },
    }));
  }
  site.world.bmcs.machines.put({ ...machineOf(site, 2), serial: "S100" });
  for (const id of ids) await ask(site, id, "validate");
  await untilHost(site, first, "AVAILABLE");
  await untilHost(site, second, "QUARANTINED");
  expect(await messageOf(site, second)).toContain(`is host '${first}'`);
});

it("forgets a placeholder that was taken for a serial number before", async () => {
  const { site, brought: id } = await siteAfter(freeServer);
  site.world.bmcs.machines.put({ ...machineOf(site, 1), serial: "Default", uuid: "" });
  await changeObject(site.laptop.deps, "host", id, (host) => ({
    ...host,
    identity: { known: { serial: "DEFAULT", since: "2026-01-01T00:00:00Z" } },
  }));
  expect((await site.admin("POST", `hosts/${id}/validate`)).status).toBe(200);
  await untilHost(site, id, "AVAILABLE");
  expect((await hostOf(site, id)).status.identity).toMatchObject({ is_identified: false });
});
