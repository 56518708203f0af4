import { expect, it } from "vitest";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import { machines } from "../../core/resources/dpu/machines.ts";
import { wrongInBooks } from "../support/books.ts";
import { addServerWithDpus, dpuOf } from "../support/dpus.ts";
import {
  askForServer,
  orderServer,
  serverOf,
  siteWithServers,
  withServers,
} from "../support/instances.ts";
import { hostOf, metal, untilHost } from "../support/managed-hosts.ts";
import { atRest, networkWithSubnet } from "../support/networks.ts";
import { withOverlay } from "../support/overlay.ts";
import { recordsIn } from "../support/records.ts";
import { siteAfter } from "../support/save-site.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** What reports of a host's health bring about: for the pool, for orders, and for the tenant who has the host. */

const fan = {
  id: "fan-speed",
  message: "expected 8000 rpm; it has 0",
  classifications: ["prevents_allocation"],
};

async function report(site: Site, id: string, body: object): Promise<Wire> {
  const { status, body: said } = await site.admin("POST", `hosts/${id}/health`, {
    source: "dcgm",
    ...body,
  });
  expect(status, JSON.stringify(said)).toBe(200);
  return said;
}

const freeOnes = async (site: Site): Promise<string[]> =>
  (await site.admin("GET", "hosts")).body.items
    .filter(({ status }: Wire) => status.state === "HOST_STATE_AVAILABLE")
    .map(({ id }: Wire) => id);

const found = async (site: Site, filter: string): Promise<string[]> => {
  const { body } = await site.admin("GET", `hosts?filter=${encodeURIComponent(filter)}`);
  return body.items.map(({ id }: Wire) => id);
};
const alerted = 'this.status.health.state == "HEALTH_STATE_ALERT"';

const rested = (site: Site, id: string) => atRest(site, "baremetal_instances", id);
const maintenanceOf = ({ status }: Wire): Wire =>
  status.conditions.find(({ type }: Wire) => type.endsWith("_TYPE_MAINTENANCE"));

it("a host with an alert is out of the pool with the report, and back in it when that is gone", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  const [id = ""] = await freeOnes(site);
  const { status } = await report(site, id, { alerts: [fan] });
  expect(status.state).toBe("HOST_STATE_UNHEALTHY");
  expect(status.message).toMatch(/^dcgm reports fan-speed since .*: expected 8000 rpm; it has 0$/);
  expect(await found(site, alerted)).toEqual([id]);
  expect(await wrongInBooks(site)).toEqual([]);
  const override = { source: "dcgm", mode: "replace", alerts: [] };
  const said = await site.admin("POST", `hosts/${id}/health/override`, override);
  expect(said.status, JSON.stringify(said.body)).toBe(200);
  await untilHost(site, id, "AVAILABLE");
  expect(await found(site, alerted)).toEqual([]);
  expect((await hostOf(site, id)).status.health).toMatchObject({
    state: "HEALTH_STATE_OK",
    sources: [{ source: "dcgm", alerts: [fan] }],
    overrides: [{ source: "dcgm", mode: "replace" }],
  });
  const wrong = await site.admin("POST", `hosts/${id}/health`, { source: "x", alerts: [{}] });
  expect(wrong.status).toBe(400);
  // A source that has promised to report, and is silent, is known to be late within a minute of that.
  await report(site, id, { source: "prober", successes: [{ id: "ping" }], interval_seconds: 60 });
  await site.laptop.pass(3 * 60_000);
  expect((await hostOf(site, id)).status.state).toBe("HOST_STATE_AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
  await site.laptop.pass(2 * 60_000);
  expect((await hostOf(site, id)).status.message).toMatch(/^prober reports report-late since /);
  await report(site, id, { source: "prober" });
  await untilHost(site, id, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a server with an issue goes back with it: its host is cleaned, and nobody's until it is mended", async () => {
  const { site, brought } = await siteAfter((opened) => siteWithServers(opened, 1));
  const [host = ""] = brought.hosts;
  const id = await orderServer(site, "db-1");
  await rested(site, id);
  // Whoever has the host keeps it, and reads what is meant for tenants.
  await report(site, host, { alerts: [{ ...fan, tenant_message: "a fan is to be replaced" }] });
  await site.laptop.until(
    async () => maintenanceOf(await serverOf(site, id)).message === "a fan is to be replaced",
    "the server to say so",
  );
  const said = await serverOf(site, id);
  expect(said.status.state).toBe("BARE_METAL_INSTANCE_STATE_RUNNING");
  expect(maintenanceOf(said)).toMatchObject({
    status: "CONDITION_STATUS_TRUE",
    reason: "Repair",
  });
  for (const filter of [
    alerted,
    `this.status.owner.id == "${id}"`,
    `this.status.owner.tenant == "${said.metadata.tenant}"`,
  ])
    expect([filter, await found(site, filter)]).toEqual([filter, [host]]);
  expect(await found(site, 'this.status.owner.tenant == "nobody"')).toEqual([]);
  await report(site, host, {});
  const note = { tenant_message: "the rack moves on Friday" };
  expect((await site.admin("POST", `hosts/${host}/maintain`, note)).status).toBe(200);
  await site.laptop.until(
    async () => maintenanceOf(await serverOf(site, id)).reason === "Maintenance",
    "the server to say so",
  );
  expect((await site.admin("POST", `hosts/${host}/release`)).status).toBe(200);

  const issue = { category: "hardware", summary: "GPU 3 is lost", details: "Xid 79\nsince May" };
  const release = () => site.api("POST", `baremetal_instances/${id}/release`, { issue });
  const released = await release();
  expect(released.status, JSON.stringify(released.body)).toBe(200);
  expect((await release()).body.message).toMatch(/is being deleted$/);
  expect(await rested(site, id)).toBeUndefined();
  expect(await found(site, `this.status.owner.id == "${id}"`)).toEqual([]);
  await untilHost(site, host, "UNHEALTHY");
  const { status } = await hostOf(site, host);
  expect(status.server.condition).toBe("SERVER_CONDITION_CLEAN");
  expect(status.message).toMatch(
    /^tenant reports issue-hardware of server 'db-1' \(.*\) of tenant '.*' since .*: GPU 3 is lost: Xid 79\nsince May$/,
  );
  expect(await wrongInBooks(site)).toEqual([]);
  const waiting = await askForServer(site, "db-2");
  await site.laptop.pass(60 * 60_000);
  expect((await serverOf(site, waiting.body.id)).status.state).toBe(
    "BARE_METAL_INSTANCE_STATE_PROVISIONING",
  );
  // Mended: the host is discovered, and the order has it.
  await report(site, host, { source: "tenant" });
  const { status: second } = await rested(site, waiting.body.id);
  expect(second.state).toBe("BARE_METAL_INSTANCE_STATE_RUNNING");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("what a DPU reports of itself is part of its host's health", async () => {
  const site = await openSite();
  await siteWithServers(site, 0);
  await withOverlay(site);
  const { host, dpus } = await addServerWithDpus(site, 1);
  await untilHost(site, host, "AVAILABLE");
  const [id = ""] = dpus;
  const { store, clock } = site.laptop;
  const told = (alerts: (typeof fan)[]) =>
    changeObject({ ...recordsIn(store), clock }, "dpu", id, (dpu) => {
      const from = { machine: { kind: "dpu" as const, id }, now: "2026-05-04T10:00:00.000Z" };
      return machines.reported(dpu, { of: "health", successes: [], alerts }, from);
    });
  await told([{ ...fan, id: "temperature" }]);
  await untilHost(site, host, "UNHEALTHY");
  expect((await hostOf(site, host)).status.health.alerts).toMatchObject([
    { source: "dpu server-1-dpu-0", target: "DPU server-1-dpu-0", id: "temperature" },
  ]);
  await told([]);
  await untilHost(site, host, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a host has to pass the tests of its type, which are made again on demand", async () => {
  const { site, brought } = await siteAfter((opened) => siteWithServers(opened, 1));
  const [host = ""] = brought.hosts;
  const validate = async () => {
    const { status, body } = await site.admin("POST", `hosts/${host}/validate`);
    expect(status, JSON.stringify(body)).toBe(200);
  };
  const testsOf = (validations: string[]) =>
    site.admin("PATCH", `host_types/${metal}`, { validations });
  expect((await testsOf(["ntp-synced", "gpu-burn-in"])).status).toBe(200);
  await validate();
  await untilHost(site, host, "UNHEALTHY");
  expect((await hostOf(site, host)).status.health).toMatchObject({
    sources: [{ source: "validation", successes: [{ id: "ntp-synced" }] }],
    alerts: [
      { id: "gpu-burn-in", message: /^expected test .*; nobody has reported a result$/ },
    ].map(({ message, ...rest }) => ({ ...rest, message: expect.stringMatching(message) })),
  });
  expect((await testsOf(["ntp-synced"])).status).toBe(200);
  await validate();
  await untilHost(site, host, "AVAILABLE");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("a host's DPUs are installed anew: of a free one now, of one that somebody has after its release", async () => {
  const site = await openSite();
  await withServers(site);
  await withOverlay(site);
  await networkWithSubnet(site);
  const { host, dpus } = await addServerWithDpus(site, 1);
  await untilHost(site, host, "AVAILABLE");
  const installed = () => Promise.all(dpus.map(async (id) => (await dpuOf(site, id)).installed_at));
  const reprovision = () => site.admin("POST", `hosts/${host}/reprovision`);
  const first = await installed();
  expect((await reprovision()).body.status.state).toBe("HOST_STATE_OFF");
  await untilHost(site, host, "AVAILABLE");
  const second = await installed();
  for (const [n, at] of second.entries()) expect(String(at) > String(first[n])).toBe(true);
  expect((await hostOf(site, host)).status).not.toHaveProperty("reinstall");

  const id = await orderServer(site, "db-1");
  await rested(site, id);
  expect((await reprovision()).body.status).toMatchObject({
    state: "HOST_STATE_RESERVED",
    reinstall: { by: expect.any(String) },
  });
  await site.laptop.pass(60 * 60_000);
  expect(await installed()).toEqual(second);
  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  await rested(site, id);
  await untilHost(site, host, "AVAILABLE");
  for (const [n, at] of (await installed()).entries())
    expect(String(at) > String(second[n])).toBe(true);
  expect(await wrongInBooks(site)).toEqual([]);
});
