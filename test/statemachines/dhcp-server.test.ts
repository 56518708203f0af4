import { expect, it } from "vitest";
import { subnetOf } from "../../core/at-site/owner.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { sweepSiteOrphans } from "../../core/reconcile/sweep-orphans.ts";
import type { FaultInput } from "../../sim/faults.ts";
import { wrongInBooks } from "../support/books.ts";
import { recordsIn } from "../support/records.ts";
import { openSite, type Site, type SiteOptions, type Wire } from "../support/site.ts";

/** Clusters at a site where hosts get their addresses from Kea, and not from the fabric. */

const minute = 60_000;
const prefix = "10.64.0.0/24";

const open = (options: SiteOptions = {}) => openSite({ ...options, dhcp: true });

async function ready(site: Site, spec?: object): Promise<string> {
  const id = await site.order("c1", spec);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  return id;
}

const resize = (site: Site, id: string, size: number) =>
  site.api("PATCH", `clusters/${id}`, { spec: { node_sets: { workers: { size } } } });

/** Each NIC on the cluster's network has the address that the fabric has for it, told by Kea. */
function expectReserved(site: Site, nics: number): void {
  const { fabric, dhcp } = site.world.site;
  const ports = fabric.read(({ records }) =>
    records.all("port").filter(({ host_id, vif_type }) => host_id !== "" && vif_type === "other"),
  );
  const bound = ports.filter(({ device_owner }) => !device_owner.startsWith("network:"));
  const told = bound.map(({ mac_address, fixed_ips: [fixed] }) => [mac_address, fixed?.ip_address]);
  const reserved = dhcp.config.reservations.map((host) => [host["hw-address"], host["ip-address"]]);
  expect(reserved.toSorted()).toEqual(told.toSorted());
  expect(reserved).toHaveLength(nics);
  for (const [mac = "", address] of reserved) {
    expect(fabric.dhcpLease(mac)).toBeUndefined();
    expect(site.world.site.leaseOf(mac)).toMatchObject({ address });
  }
}

const conditionOf = async (site: Site, id: string, type: string): Promise<Wire> =>
  (await site.cluster(id)).status.conditions.find((each: Wire) => each.type.endsWith(type));

it("are made, grow, shrink and go, and Kea forgets them", { tags: "smoke" }, async () => {
  const site = await open();
  const id = await ready(site);
  expect(site.world.site.dhcp.config.subnets).toMatchObject([
    { subnet: prefix, pools: [], "option-data": [{ name: "routers", data: "10.64.0.1" }, {}] },
  ]);
  expectReserved(site, 4);
  await resize(site, id, 3);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expectReserved(site, 6);
  await resize(site, id, 1);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expectReserved(site, 2);
  site.world.site.dhcp.restart();
  expectReserved(site, 2);
  await site.api("DELETE", `clusters/${id}`);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(site.owned()).toEqual([]);
  expect(site.world.site.dhcp.leases()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

const troubles: [string, FaultInput][] = [
  ["is unreachable for a while", { target: "dhcp", fault: "crash_before", count: 12 }],
  ["loses its answers", { target: "dhcp", fault: "crash_after", count: 12 }],
  ["is busy", { target: "dhcp", fault: "error", status: 503, count: 12 }],
  ["hangs", { target: "dhcp", fault: "timeout", count: 4 }],
  [
    "loses the answer of a write",
    { target: "dhcp", operation: "POST /config-write", fault: "crash_after", count: 3 },
  ],
];

it.each(troubles)("are made, shrink and go while Kea %s", async (_, fault) => {
  const site = await open();
  site.world.faults.add(fault);
  const id = await ready(site);
  expectReserved(site, 4);
  site.world.faults.add(fault);
  await resize(site, id, 1);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expectReserved(site, 2);
  site.world.faults.add(fault);
  await site.api("DELETE", `clusters/${id}`);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  site.world.site.dhcp.restart();
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("are made while Kea restarts again and again", async () => {
  let asked = 0;
  const site = await open({
    outside: async (request, send) => {
      const answer = await send();
      if (request.url.startsWith("http://dhcp.sim") && asked++ < 40 && asked % 3 === 0)
        site.world.site.dhcp.restart();
      return answer;
    },
  });
  const id = await ready(site);
  expect(asked).toBeGreaterThan(10);
  expectReserved(site, 4);
  await site.api("DELETE", `clusters/${id}`);
  await site.settled(id);
  site.world.site.dhcp.restart();
  expect(site.owned()).toEqual([]);
});

it.each([
  ["subnet4-add", "CreateLayer3Network"],
  ["reservation-add", "AttachHosts"],
])("are unwound where Kea refuses %s, and nothing is left", async (command, step) => {
  const site = await open();
  const operation = `POST /${command}`;
  site.world.faults.add({ target: "dhcp", operation, fault: "error", status: 400, count: 0 });
  const id = await site.order("c1");
  expect((await site.settled(id)).status).toMatchObject({
    state: "OPERATION_STATE_FAILED",
    failure: { step, kind: "Rejected", message: "the DHCP server refuses (400)" },
  });
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("get another prefix where somebody else has theirs at Kea", async () => {
  const site = await open();
  const { dhcp } = site.world.site;
  dhcp.change({
    subnets: [{ id: 7, subnet: prefix, pools: [], "option-data": [] }],
    reservations: [],
  });
  dhcp.write();
  const id = await ready(site);
  const { network } = (await mustLoad(recordsIn(site.laptop.store), "cluster", id)).site ?? {};
  expect(network?.prefix).toBe("10.64.1.0/24");
  expect(dhcp.config.subnets.map(({ subnet }) => subnet)).toEqual([prefix, "10.64.1.0/24"]);
  expectReserved(site, 4);
});

it("say that they wait while Kea lacks a hook library, and go on when it has it", async () => {
  const site = await open();
  const { hooks } = site.world.site.dhcp;
  const hook = "libdhcp_host_cmds.so";
  hooks.delete(hook);
  const id = await site.order("c1");
  await site.laptop.pass(5 * minute);
  const { waiting_for } = (await site.api("GET", "operations")).body.items[0].status;
  expect(waiting_for).toBe(`the DHCP server has no hook library ${hook}`);
  hooks.add(hook);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
});

it("tell that Kea has lost what it served", async () => {
  const site = await open();
  const id = await ready(site);
  const { dhcp } = site.world.site;
  const [first, ...reservations] = dhcp.config.reservations;
  dhcp.change({ ...dhcp.config, reservations });
  await site.laptop.pass(40 * minute);
  expect(await conditionOf(site, id, "DEGRADED")).toMatchObject({
    status: "CONDITION_STATUS_TRUE",
    message: expect.stringContaining(`1 of 4 NICs have no reservation in ${prefix}`),
  });
  dhcp.change({ subnets: [], reservations: [] });
  await site.laptop.pass(40 * minute);
  expect((await conditionOf(site, id, "DEGRADED")).message).toContain(
    `the DHCP server does not serve ${prefix}`,
  );
  expect(first).toBeDefined();
});

it("leave an orphan that the sweep finds, holds the prefix of, and removes", async () => {
  const site = await open();
  const id = await ready(site);
  const { deps, clock } = site.laptop;
  const cluster = await mustLoad(recordsIn(site.laptop.store), "cluster", id);
  await site.api("DELETE", `clusters/${id}`);
  await site.settled(id);
  const { dhcp } = await deps.sites.systems("site-1");
  const plan = { gateway: "10.64.0.1", dnsServers: [] };
  await clock.until(dhcp?.ensure(subnetOf(cluster, { prefix }), plan) ?? Promise.resolve());
  await site.laptop.pass(15 * minute);
  await clock.until(sweepSiteOrphans(deps, "site-1"));
  const told = async () => (await site.admin("GET", "sites/site-1")).body.status;
  expect((await told()).orphans.items).toMatchObject([
    { system: "dhcp", kind: "subnet", id: prefix, number: prefix, cluster: id },
  ]);
  expect((await told()).pools.prefixes.orphaned).toBe(1);
  await site.admin("PATCH", "sites/site-1", { spec: { orphans: "remove" } });
  await site.laptop.pass(120 * minute);
  expect(site.owned()).toEqual([]);
});
