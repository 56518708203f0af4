import { expect, it } from "vitest";
import { mustLoad, putNew } from "../../../../core/kernel/object/records.ts";
import { dpuSource, reportLate } from "../../../../core/placement/pool/silent-dpu.ts";
import {
  followHosts,
  noteHost,
  serverOn,
} from "../../../../core/resources/baremetal-instance/host-notice.ts";
import type { BaremetalInstance } from "../../../../core/resources/baremetal-instance/model.ts";
import type { Host } from "../../../../core/resources/host/model.ts";
import { testDeps } from "../../../support/deps.ts";
import { instanceRecord, onHost } from "../../../support/instance-record.ts";
import { hostRecord } from "../../../support/placement.ts";

/** What a tenant's server says of the host that it stands on, as the host changes. */

const since = "2026-05-04T10:00:00.000Z";
const later = "2026-05-04T11:00:00.000Z";
const bare = hostRecord("h1", "hub", "metal");

type Alert = NonNullable<Host["status"]["health"]>["alerts"][number];
const alert = (more: Partial<Alert>): Alert => ({
  ...{ source: "dcgm", id: "gpu", since, message: "GPU 3 is lost", classifications: [] },
  ...more,
});
const unwell = (...alerts: Partial<Alert>[]): Partial<Host> => ({
  status: {
    ...bare.status,
    health: { alerts: alerts.map(alert) } as NonNullable<Host["status"]["health"]>,
  },
});
const silent: Partial<Alert> = { source: dpuSource("dpu-1"), id: reportLate };
const maintenance = { since, by: "root" };

/** A server on a host, with what both say at first. */
async function opened(host: Partial<Host>, server: Partial<BaremetalInstance> = {}) {
  const deps = testDeps();
  const records = [
    ...putNew(deps.kinds, { ...bare, ...host }),
    ...putNew(deps.kinds, instanceRecord({ ...onHost("h1"), ...server })),
  ];
  await deps.store.transact(records);
  const said = async () => {
    const saying = await mustLoad(deps, "baremetal_instance", "server-1");
    const { host_notice, repair, silence } = saying;
    return { host_notice, repair, silence };
  };
  return { deps, said };
}

const maintained = { reason: "Maintenance", message: "the provider is to maintain the server" };

it.each<[string, Partial<Host>, Partial<BaremetalInstance>]>([
  ["that is as it should be", {}, {}],
  ["in maintenance", { maintenance }, { host_notice: { ...maintained, reason: "Maintenance" } }],
  [
    "in maintenance, in the provider's words",
    { maintenance: { ...maintenance, tenant_message: "a fan is replaced" } },
    { host_notice: { reason: "Maintenance", message: "a fan is replaced" } },
  ],
  ["with an alert that is not for tenants", unwell({}), {}],
  [
    "with alerts, of which the second is the first for tenants",
    unwell({}, { tenant_message: "a GPU is lost" }, { tenant_message: "a drive is worn" }),
    { host_notice: { reason: "Repair", message: "a GPU is lost" } },
  ],
  [
    "in maintenance, with an alert",
    { ...unwell({ tenant_message: "a GPU is lost" }), maintenance },
    { host_notice: { ...maintained, reason: "Maintenance" } },
  ],
  ["with a DPU that is not heard", unwell(silent), { silence: { since } }],
  [
    "whose DPUs are to be installed anew",
    { reinstall: { since, by: "root" } },
    { repair: { since, dpus: true } },
  ],
])("a server on a host %s says so", async (_, host, expected) => {
  const { deps, said } = await opened(host);
  await noteHost(deps, "server-1");
  expect(await said()).toEqual(expected);
  const writes = deps.store.stream(undefined, 1000).length;
  await noteHost(deps, "server-1");
  expect(deps.store.stream(undefined, 1000)).toHaveLength(writes);
});

it("a server says no more of a host that is well again, or that it has left", async () => {
  const before: Partial<BaremetalInstance> = {
    ...{ host_notice: { reason: "Repair", message: "a GPU is lost" }, silence: { since } },
    repair: { since, dpus: true },
  };
  const well = await opened({}, before);
  await noteHost(well.deps, "server-1");
  expect(await well.said()).toEqual({});
  const { placement: _, ...unplaced } = instanceRecord(before);
  const deps = testDeps();
  await deps.store.transact(putNew(deps.kinds, unplaced));
  await noteHost(deps, "server-1");
  expect(await mustLoad(deps, "baremetal_instance", "server-1")).not.toHaveProperty("host_notice");
});

it("a server that is gone says nothing", async () => {
  await expect(noteHost(testDeps(), "server-1")).resolves.toBeUndefined();
});

const owner = (id: string, kind: "baremetal_instance" | "cluster" = "baremetal_instance") => ({
  ...{ kind, id, tenant: "tenant-a", node_set: "metal" },
});
const held = (id = "server-1"): Host => ({ ...bare, status: { ...bare.status, owner: owner(id) } });

it("stands on a host of which it is the owner", () => {
  expect(serverOn(held())).toEqual(owner("server-1"));
  const ofCluster = { ...bare.status, owner: owner("c1", "cluster") };
  expect(serverOn({ ...bare, status: ofCluster })).toBeUndefined();
  expect(serverOn(bare)).toBeUndefined();
});

const server = held();
const { status } = server;
const wish = (at: string) => ({ since: at, by: "root" });
const silentSince = (at: string): Host => ({
  ...server,
  status: { ...status, ...unwell({ ...silent, since: at }).status, owner: owner("server-1") },
});

it.each<[string, Host | undefined, Host | undefined, boolean]>([
  ["comes with a server", undefined, server, true],
  ["is written as it was", server, { ...server, revision: 2 }, false],
  ["is gone", server, undefined, false],
  ["gets its server", bare, server, true],
  ["loses its server", server, bare, true],
  ["gets another server", held("server-2"), server, true],
  ["goes into maintenance", server, { ...server, maintenance }, true],
  ["leaves maintenance", { ...server, maintenance }, server, true],
  ["has a DPU that falls silent", server, silentSince(since), true],
  ["has a DPU that falls silent again", silentSince(since), silentSince(later), true],
  ["is to be installed anew", server, { ...server, reinstall: wish(since) }, true],
  [
    "is to be installed anew once more",
    { ...server, reinstall: wish(since) },
    { ...server, reinstall: wish(later) },
    true,
  ],
  [
    "is to be installed anew, as somebody else says",
    { ...server, reinstall: wish(since) },
    { ...server, reinstall: { ...wish(since), by: "ann" } },
    false,
  ],
  ["is to have other firmware", server, { ...server, firmware_update: wish(since) }, true],
  ["is to have other firmware no more", { ...server, firmware_update: wish(since) }, server, true],
  ["nobody has goes into maintenance", bare, { ...bare, maintenance }, false],
])("whether a host that %s has its server look", async (_, before, after, looks) => {
  // The server says what is not so, which it finds out when it looks.
  const { deps, said } = await opened({}, { host_notice: { reason: "Repair", message: "old" } });
  const item = (host: Host | undefined) => {
    const [write] = host ? putNew(deps.kinds, host) : [];
    return write && "put" in write ? write.put : undefined;
  };
  const [from, to] = [item(before), item(after)];
  await followHosts(deps, { ...(from && { before: from }), ...(to && { after: to }) });
  expect((await said()).host_notice === undefined).toBe(looks);
});

it("the server that has come and the one that has gone look both", async () => {
  const { deps, said } = await opened({}, { host_notice: { reason: "Repair", message: "old" } });
  const other = instanceRecord({ id: "server-2", silence: { since } });
  await deps.store.transact(putNew(deps.kinds, other));
  const [from] = putNew(deps.kinds, held("server-2"));
  const [to] = putNew(deps.kinds, server);
  if (!from || !("put" in from) || !to || !("put" in to)) expect.unreachable("both are written");
  await followHosts(deps, { before: from.put, after: to.put });
  expect(await said()).toEqual({});
  expect(await mustLoad(deps, "baremetal_instance", "server-2")).not.toHaveProperty("silence");
});
