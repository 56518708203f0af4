import { beforeEach, expect, it } from "vitest";
import { siteDirectory } from "../../../core/at-site/directory.ts";
import { hours, minutes } from "../../../core/clock.ts";
import { poolKey } from "../../../core/kernel/object/hub-keys.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { createObject, deleteObject } from "../../../core/kernel/request/crud.ts";
import { resolve } from "../../../core/kernel/request/resolve.ts";
import type { StepDeps } from "../../../core/kernel/saga/context.ts";
import type { Write } from "../../../core/kernel/store/store.ts";
import { importHosts } from "../../../core/reconcile/import-hosts.ts";
import { sweepSite } from "../../../core/reconcile/sweep-places.ts";
import { rules as hosts } from "../../../core/resources/host/api.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { hostTypes } from "../../../core/resources/host-type/api.ts";
import { sites } from "../../../core/resources/site/api.ts";
import { testDeps } from "../../support/deps.ts";
import { interrupted } from "../../support/interrupted-store.ts";
import { netboxWorld } from "../../support/netbox.ts";
import { addHub } from "../../support/placement.ts";

/** Servers of a NetBox as hosts. */

const root = { user: "root", tenant: "", everywhere: true };

async function open() {
  const bare = testDeps();
  const netbox = netboxWorld({}, bare.clock);
  const deps = { ...bare, sites: siteDirectory({ ...bare, fetch: netbox.network.fetch }) };
  await addHub(deps, "hub-a");
  for (const name of ["small", "large"])
    await createObject(deps, root, hostTypes, { metadata: { name } });
  const { records } = netbox.sim;
  /** A server as it has to be for a host. */
  const server = (name: string, number: number): number => {
    const id = netbox.rack.server({ name, number });
    const oob_ip = records.add("ipam.ipaddress", {
      ...{ address: `10.9.0.${number}/24`, status: "active", description: "", dns_name: "" },
      ...{ tags: [], custom_fields: {}, assigned_object_id: null },
    }).id;
    records.change("dcim.device", id, { oob_ip });
    return id;
  };
  const spec = {
    inventory: {
      ...{ provider: "netbox", url: netbox.url, role: "server", hub: "hub-a" },
      host_types: { "PowerEdge R760": "small" },
      bmc: "redfish://{address}/redfish/v1/Systems/1",
    },
    secrets: { inventory: netbox.sim.tokens.v2 },
  };
  await createObject(deps, root, sites, { id: "site-1", metadata: { name: "site-1" }, spec });
  return {
    ...{ deps, netbox, records, server },
    /** Reads the inventory some time after the last change, as far as it is told by lines. */
    async read(over: StepDeps = deps) {
      await deps.clock.advance(minutes(10));
      return deps.clock.until(importHosts(over, "site-1"));
    },
    async host(name: string): Promise<Host> {
      const found = await resolve(deps, "host", "shared", name);
      if (!found) throw new Error(`there is no host ${name}`);
      return found;
    },
    site: () => mustLoad(deps, "site", "site-1"),
  };
}
let at: Awaited<ReturnType<typeof open>>;
beforeEach(async () => {
  at = await open();
});

/** Has somebody hold a host. */
async function held({ id, spec }: Host): Promise<void> {
  const entry = { state: "held", owner: "cluster-1", owner_kind: "cluster" };
  await at.deps.store.transact([{ put: { ...poolKey(spec.hub, spec.host_type, id), ...entry } }]);
}

it("makes a host of each server by the rules of the API, and says what it left out", async () => {
  const id = at.server("R01-SRV-01", 1);
  expect(await at.read()).toEqual([
    {
      ...{ server: String(id), name: "R01-SRV-01", outcome: "added" },
      message:
        "eth1: it has no cable; bond0: it is not a physical interface; idrac: it is for management alone",
    },
  ]);
  expect(await at.host("r01-srv-01")).toMatchObject({
    spec: {
      host_type: "small",
      hub: "hub-a",
      bmc: { address: "redfish://10.9.0.1/redfish/v1/Systems/1" },
      nics: [{ name: "eth0", mac: "52:54:00:00:00:01", switch: "leaf-1", port: "Ethernet1" }],
    },
    status: {
      state: "HOST_STATE_UNDISCOVERED",
      inventory: { site: "site-1", server: String(id), rack: "R01" },
    },
  });
  expect((await at.site()).status.inventory).toEqual({ servers: 1, attention: 0, items: [] });
  expect(await at.read()).toEqual([]);
});

it("says line by line why a server is no host, until it can be one", async () => {
  const { netbox, records } = at;
  const type = records.add("dcim.devicetype", { model: "DL380", slug: "dl380" }).id;
  const unknown = at.server("unknown-type", 1);
  records.change("dcim.device", unknown, { device_type: type });
  const loose = at.server("loose", 2);
  netbox.rack.uncable(loose);
  const blind = netbox.rack.server({ name: "no-controller", number: 3 });
  const nameless = at.server("nameless", 4);
  records.change("dcim.device", nameless, { name: null });
  const odd = at.server("odd name!", 5);
  const lines = await at.read();
  expect(lines.map(({ server, outcome, message }) => [Number(server), outcome, message])).toEqual([
    [unknown, "unusable", "no host type is named for the device type DL380"],
    [
      loose,
      "unusable",
      "none of its interfaces can be used (eth0: its cable ends at panel-a Front 2, and leads no further; eth1: it has no cable; bond0: it is not a physical interface; idrac: it is for management alone)",
    ],
    [blind, "unusable", "it has no out-of-band IP"],
    [nameless, "unusable", "it has no name"],
    [odd, "refused", expect.stringContaining("metadata.name must be 1 to 63 lowercase letters")],
  ]);
  expect((await at.site()).status.inventory).toMatchObject({ servers: 5, attention: 5 });
  records.change("dcim.device", nameless, { name: "named" });
  expect((await at.read()).filter(({ outcome }) => outcome === "added")).toMatchObject([
    { name: "named" },
  ]);
  expect((await at.site()).status.inventory).toMatchObject({ servers: 5, attention: 4 });
});

it("changes a host that nobody holds, and says what", async () => {
  const id = at.server("server-1", 1);
  await at.read();
  const { records, netbox } = at;
  netbox.rack.uncable(id);
  const far = netbox.rack.interfaceAt(netbox.rack.port(netbox.rack.leaf, "Ethernet48"));
  const panel = records.list("dcim.frontport").find(({ name, device }) => {
    return name === "Front 1" && records.known("dcim.device", device).name === "panel-b";
  });
  netbox.rack.cable({ object_type: "dcim.frontport", object_id: panel?.id ?? 0 }, far);
  expect(await at.read()).toMatchObject([
    {
      ...{ name: "server-1", outcome: "changed" },
      message: expect.stringMatching(
        /^the port of eth0 is leaf-1 Ethernet48 there, and leaf-1 Ethernet1 here; /,
      ),
    },
  ]);
  expect((await at.host("server-1")).spec.nics[0]?.port).toBe("Ethernet48");
});

it("has the serial number of a server, once its inventory knows it", async () => {
  const id = at.server("server-1", 1);
  await at.read();
  expect((await at.host("server-1")).spec).not.toHaveProperty("serial");
  at.records.change("dcim.device", id, { serial: "7XK2M93" });
  await at.read();
  expect((await at.host("server-1")).spec.serial).toBe("7XK2M93");
  at.records.change("dcim.device", id, { serial: "" });
  await at.read();
  expect((await at.host("server-1")).spec.serial).toBe("7XK2M93");
});

it("shows drift of a host that somebody holds, and resolves it only when it is given back", async () => {
  const id = at.server("server-1", 1);
  await at.read();
  const before = await at.host("server-1");
  await held(before);
  at.netbox.sim.records.change("ipam.ipaddress", 1, {
    address: "10.9.0.99/24",
    assigned_object_id: 1,
  });
  const drift = [
    "it is held by cluster cluster-1",
    "the address of its controller is redfish://10.9.0.99/redfish/v1/Systems/1 there, and redfish://10.9.0.1/redfish/v1/Systems/1 here",
  ];
  expect(await at.read()).toMatchObject([{ outcome: "drift", message: drift.join("; ") }]);
  const { spec, status } = await at.host("server-1");
  expect(spec).toEqual(before.spec);
  const place = { site: "site-1", server: String(id), rack: "R01" };
  expect(status.inventory).toEqual({ ...place, drift });
  expect((await at.site()).status.inventory).toMatchObject({
    attention: 1,
    items: [{ name: "server-1", outcome: "drift", message: drift.join("; ") }],
  });
  const key = poolKey(spec.hub, spec.host_type, before.id);
  await at.deps.store.transact([{ put: { ...key, state: "out" } }]);
  expect(await at.read()).toEqual([]);
  await at.deps.clock.advance(hours(24));
  expect(await at.read()).toMatchObject([{ outcome: "changed" }]);
  expect((await at.host("server-1")).status.inventory).toEqual(place);
});

it("tells in which rack a host stands, held or not, as long as the inventory knows it", async () => {
  const id = at.server("server-1", 1);
  await at.read();
  const rackOf = async () => (await at.host("server-1")).status.inventory?.rack;
  expect(await rackOf()).toBe("R01");
  await held(await at.host("server-1"));
  const [{ id: first, site } = { id: 0, site: 0 }] = at.records.list("dcim.rack");
  at.records.change("dcim.rack", first, { name: "R01-old" });
  expect(await at.read()).toMatchObject([{ outcome: "unchanged" }]);
  expect(await rackOf()).toBe("R01-old");
  const rack = at.records.add("dcim.rack", { name: "R02", site }).id;
  at.records.change("dcim.device", id, { rack });
  await at.read();
  expect(await rackOf()).toBe("R02");
  at.records.change("dcim.device", id, { rack: null });
  await at.read();
  expect(await rackOf()).toBeUndefined();
});

it("changes no host that somebody takes at that moment", async () => {
  const id = at.server("server-1", 1);
  await at.read();
  const before = await at.host("server-1");
  at.records.change("ipam.ipaddress", 1, { address: "10.9.0.99/24", assigned_object_id: 1 });
  const { deps } = at;
  const isChange = (writes: Write[]) =>
    writes.some((each) => "check" in each && each.check.sk === before.id);
  const store = interrupted(deps.store, () => held(before), isChange);
  expect(await at.read({ ...deps, store })).toMatchObject([
    { outcome: "drift", message: expect.stringContaining("it is held by cluster cluster-1") },
  ]);
  const after = await at.host("server-1");
  expect(after.spec).toEqual(before.spec);
  expect(after.status.inventory).toMatchObject({ server: String(id), drift: expect.anything() });
});

it("keeps a host whose server is gone from the inventory, and says so", async () => {
  const id = at.server("server-1", 1);
  at.server("server-2", 2);
  await at.read();
  at.netbox.rack.remove(id);
  expect((await at.read()).filter(({ outcome }) => outcome !== "unchanged")).toMatchObject([
    { name: "server-1", outcome: "drift", message: "the inventory does not have it any more" },
  ]);
  const host = await at.host("server-1");
  expect(host.status.inventory?.drift).toEqual(["the inventory does not have it any more"]);
  await deleteObject(at.deps, root, hosts, host.id);
  at.netbox.rack.uncable(at.records.list("dcim.device").at(-1)?.id ?? 0);
  await at.read();
  expect((await at.site()).status.inventory).toMatchObject({ servers: 1 });
});

it("finds a host that was registered by hand by its MAC address, and keeps its name", async () => {
  at.server("server-1", 1);
  const nic = { name: "eth0", mac: "52:54:00:00:00:01", switch: "leaf-9", port: "1" };
  const spec = { host_type: "small", hub: "hub-a", bmc: { address: "redfish://old" }, nics: [nic] };
  await createObject(at.deps, root, hosts, { metadata: { name: "by-hand" }, spec });
  expect(await at.read()).toMatchObject([{ outcome: "changed" }]);
  const host = await at.host("by-hand");
  expect(host.spec.nics[0]?.switch).toBe("leaf-1");
  expect(host.status.inventory?.drift).toEqual([
    "its name is server-1 there, and a host keeps its name",
  ]);
});

it("goes on after the last page before a crash, and takes nothing for gone that came before it", async () => {
  for (let n = 1; n <= 120; n++) at.server(`server-${n}`, n);
  const { network } = at.netbox;
  let pages = 0;
  network.before = async ({ path }) => {
    if (!path.startsWith("/api/dcim/interfaces/")) return;
    pages += 1;
    if (pages === 2) throw new TypeError("fetch failed");
  };
  await expect(at.read()).rejects.toMatchObject({ kind: "Unavailable" });
  expect((await at.site()).status.inventory).toMatchObject({ servers: 100 });
  const rest = await at.read();
  expect(rest.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 20 }, () => "added"));
  expect((await at.site()).status.inventory).toEqual({ servers: 120, attention: 0, items: [] });
});

it("is part of the sweep of a site, which an inventory that is unreachable does not disturb", async () => {
  at.server("server-1", 1);
  const { deps, netbox } = at;
  netbox.faults.add({ target: "inventory", fault: "error", status: 503, count: 0 });
  await deps.clock.until(sweepSite(deps, "site-1"));
  expect(await resolve(deps, "host", "shared", "server-1")).toBeUndefined();
  netbox.faults.clear();
  await deps.clock.advance(hours(1));
  await deps.clock.until(sweepSite(deps, "site-1"));
  expect((await at.host("server-1")).spec.host_type).toBe("small");
});

it("names a hub that is not there, and changes nothing", async () => {
  const { deps } = at;
  at.server("server-1", 1);
  const systems = await deps.sites.systems("site-1");
  const { inventory } = systems.site.spec;
  if (!inventory) throw new Error("the site has no inventory");
  const site = {
    ...systems.site,
    spec: { ...systems.site.spec, inventory: { ...inventory, hub: "gone" } },
  };
  const elsewhere = { ...deps, sites: { systems: async () => ({ ...systems, site }) } };
  await expect(at.read(elsewhere)).rejects.toMatchObject({
    kind: "Invalid",
    message: "the inventory of site site-1 names no hub that there is",
  });
});
