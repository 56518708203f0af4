import { expect, it } from "vitest";
import { days } from "../../../core/clock.ts";
import { nextOut, noteCapacity } from "../../../core/reconcile/capacity.ts";
import { networkWithIp, withNetworks, withOutsidePool } from "../../support/networks.ts";
import { openSite, type Site, type Wire } from "../../support/site.ts";
import { setHub } from "../../support/waiting.ts";

/** What an operator reads of what is left: hubs, host types, pools of sites, and all of it at once. */

const inEurope = { placement: { region: "eu-west" } };

const get = async (site: Site, path: string): Promise<Wire> => (await site.admin("GET", path)).body;

async function withCluster() {
  const site = await openSite();
  await site.laptop.pass(6 * 60_000);
  const before = await get(site, "capacity");
  const id = await site.order("one", inEurope);
  await site.settled(id);
  return { site, id, before };
}

const of = ({ items }: Wire, wanted: object): Wire =>
  items.find((item: Wire) => Object.entries(wanted).every(([name, value]) => item[name] === value));

it("a hub says how many control planes and hosts it has left", async () => {
  const { site, id } = await withCluster();
  const held = await get(site, "hosts?filter=this.status.owner.name=='one'");
  expect(held.total).toBe(2);
  const { status } = await get(site, "hubs/hub-a");
  expect(status.control_planes).toEqual({ total: 20, used: 1, free: 19 });
  expect(status.hosts).toEqual([
    { host_type: "fc430", total: 6, free: 4, reserved: 2, kept: 0, unavailable: 0 },
    { host_type: "h100", total: 6, free: 6, reserved: 0, kept: 0, unavailable: 0 },
  ]);
  const { items } = await get(site, "hubs");
  expect(items.map(({ status }: Wire) => status.control_planes.used)).toEqual([1, 0]);
  await site.api("DELETE", `clusters/${id}`);
  await site.settled(id);
  expect((await get(site, "hubs/hub-a")).status.hosts[0]).toMatchObject({ free: 6, reserved: 0 });
});

it("a host that is out of service is neither free nor held", async () => {
  const { site } = await withCluster();
  const { items } = await get(site, "hosts?filter=this.status.state=='HOST_STATE_AVAILABLE'");
  const { id, spec } = items.find((host: Wire) => host.spec.hub === "hub-b");
  await site.admin("POST", `hosts/${id}/maintain`);
  await site.laptop.pass(1000);
  expect((await get(site, "hosts?filter=has(this.status.maintenance)")).items).toHaveLength(1);
  const { status } = await get(site, "hubs/hub-b");
  expect(status.hosts).toContainEqual({
    ...{ host_type: spec.host_type, total: 6, free: 5, reserved: 0, kept: 0, unavailable: 1 },
  });
  const hosts = { resource: "hosts", region: "us-east", host_type: spec.host_type };
  expect(of(await get(site, "capacity"), hosts)).toMatchObject({
    ...{ total: 6, free: 5, used: 0, kept: 0, unavailable: 1, used_percent: 16 },
  });
});

it("tenants see how many hosts are free by region, and nothing of hubs", async () => {
  const { site } = await withCluster();
  const { body } = await site.api("GET", "host_types/fc430");
  expect(body.status).toEqual({
    availability: [
      { region: "eu-west", total: 6, free: 4 },
      { region: "us-east", total: 6, free: 6 },
    ],
  });
  expect((await site.api("GET", "host_types")).body.items[0].status).not.toHaveProperty("hubs");
});

it("a site says how much of its pools is used, at rest and left", async () => {
  const { site, id } = await withCluster();
  const used = (await get(site, "sites/site-1")).status.pools;
  expect(used.vlans).toMatchObject({
    used: 1,
    orphaned: 0,
    resting: 0,
    free: used.vlans.total - 1,
  });
  expect(used.floating_ips).toMatchObject({ used: 2 });
  await site.api("DELETE", `clusters/${id}`);
  await site.settled(id);
  const rested = (await get(site, "sites/site-1")).status.pools;
  expect(rested.vlans).toMatchObject({ used: 0, resting: 1, free: used.vlans.total - 1 });
  expect(of(await get(site, "capacity"), { resource: "vlans", site: "site-1" })).toMatchObject({
    ...{ used: 0, resting: 1, unavailable: 1, waiting: 0 },
  });
  await site.laptop.pass(11 * 60_000);
  const free = (await get(site, "sites/site-1")).status.pools;
  expect(free.vlans).toMatchObject({ used: 0, resting: 0, free: used.vlans.total });
});

it("capacity is one list of all that can run out, what is used most first", async () => {
  const { site, before } = await withCluster();
  const after = await get(site, "capacity");
  const [europe, type] = [{ region: "eu-west" }, { host_type: "fc430" }];
  expect(of(before, { resource: "hosts", ...europe, ...type })).toMatchObject({
    ...{ total: 6, used: 0, free: 6, kept: 0, unavailable: 0, used_percent: 0, open: true },
  });
  expect(after.items[0]).toEqual({
    ...{ resource: "hosts", ...europe, ...type, open: true },
    ...{ total: 6, used: 2, free: 4, kept: 0, unavailable: 0, waiting: 0, used_percent: 33 },
  });
  expect(of(after, { resource: "control_planes", ...europe })).toMatchObject({ used: 1 });
  expect(of(after, { resource: "floating_ips", site: "site-1" })).toMatchObject({ used: 2 });
  const shares = after.items.map(({ used_percent }: Wire) => used_percent);
  expect(shares).toEqual(shares.toSorted((a: number, b: number) => b - a));
  await setHub(site.laptop.deps, "hub-a", { cordoned: true });
  await site.laptop.pass(1000);
  const cordoned = await get(site, "capacity");
  expect(of(cordoned, { resource: "control_planes", ...europe }).open).toBe(false);
  expect(of(cordoned, { resource: "hosts", ...europe, ...type })).toMatchObject({
    ...{ used: 2, free: 4, open: false },
  });
});

it("capacity says how much more is held than a day before, and how long the rest lasts", async () => {
  const site = await openSite();
  await site.laptop.pass(6 * 60_000);
  const { deps } = site.laptop;
  const dayAgo = { ...deps.clock, now: () => deps.clock.now() - days(1) };
  await noteCapacity({ ...deps, clock: dayAgo });
  await site.settled(await site.order("one", inEurope));
  const { items } = await get(site, "capacity");
  const hosts = { resource: "hosts", host_type: "fc430" };
  expect(of({ items }, { ...hosts, region: "eu-west" })).toMatchObject({
    ...{ free: 4, per_day: 2, days_left: 2 },
  });
  const still = of({ items }, { ...hosts, region: "us-east" });
  expect(still.per_day).toBe(0);
  // The same of one hub, and of a site's pools.
  const { control_planes } = (await site.admin("GET", "hubs/hub-a")).body.status;
  expect(control_planes).toMatchObject({ per_day: expect.any(Number) });
  const { pools } = (await site.admin("GET", "sites/site-1")).body.status;
  expect(pools.floating_ips).toMatchObject({ per_day: 2, days_left: expect.any(Number) });
  expect(still).not.toHaveProperty("days_left");
  expect(of({ items }, { resource: "floating_ips", site: "site-1" }).per_day).toBe(2);
});

it("capacity says how many orders wait for what", async () => {
  const { site } = await withCluster();
  const sets = { node_sets: { workers: { size: 5 } }, ...inEurope };
  const id = await site.order("large", sets);
  await site.laptop.until(
    async () => (await site.cluster(id)).status.waiting?.length === 1,
    "waits",
  );
  const waits = async (filter: string) =>
    (await get(site, `clusters?filter=${encodeURIComponent(filter)}`)).items;
  const [waiting] = await waits("this.status.waiting[0].system == 'placement'");
  expect(waiting.id).toBe(id);
  expect(waiting.status.waiting[0].message).toContain("5 hosts of type fc430");
  expect(await waits("this.status.waiting[0].message != ''")).toHaveLength(1);
  expect(await waits("this.status.waiting[0].system == 'DNS'")).toEqual([]);
  expect(await waits("this.status.waiting[9].system == 'placement'")).toEqual([]);
  const { items, next_out } = { ...(await get(site, "capacity")), ...(await get(site, "status")) };
  for (const shown of [{ items }, { items: next_out }])
    expect(of(shown, { resource: "hosts", region: "eu-west", host_type: "fc430" }).waiting).toBe(1);
  expect(of({ items }, { resource: "vlans" }).waiting).toBe(0);
  expect((await get(site, "capacity")).queues).toEqual([
    { waits_for: "hub", orders: 1 },
    { waits_for: "hosts", host_type: "fc430", orders: 1 },
  ]);
  await site.api("DELETE", `clusters/${id}`);
  await site.settled(id);
  expect((await get(site, "capacity")).queues).toEqual([]);
});

it("pools of external IPs run out too, and whatever lasts shortest comes first", async () => {
  const site = await openSite();
  await withNetworks(site);
  await withOutsidePool(site);
  await networkWithIp(site, "shop");
  const { items } = await get(site, "capacity");
  const [pool] = (await get(site, "external_ip_pools")).items;
  expect(of({ items }, { resource: "external_ips" })).toMatchObject({
    ...{
      pool: pool.metadata.name,
      site: "site-1",
      total: 16,
      used: 1,
      free: 15,
      used_percent: 6,
      open: true,
    },
  });
  const made = (more: object) => ({ ...items[0], open: true, used_percent: 50, free: 5, ...more });
  const [full, soon, later, most] = [
    made({ free: 0, used_percent: 100 }),
    made({ days_left: 3, used_percent: 10 }),
    made({ days_left: 30, used_percent: 20 }),
    made({ used_percent: 99 }),
  ];
  const rest = made({});
  const closed = made({ open: false, free: 0 });
  expect(nextOut([closed, rest, most, later, soon, full])).toEqual([full, soon, later, most, rest]);
});
