import { describe, expect, it } from "vitest";
import { sharedTenant } from "../../core/kernel/object/metadata.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { sweepSiteOrphans } from "../../core/reconcile/sweep-orphans.ts";
import { siteSchema } from "../../core/resources/site/wire.ts";
import type { FaultInput } from "../../sim/faults.ts";
import { wrongInBooks } from "../support/books.ts";
import { logOf } from "../support/log.ts";
import { accepted, siteWithNetbox } from "../support/matrix/cluster-worlds.ts";
import type { GivenOutBy } from "../support/netbox.ts";
import { recordsIn } from "../support/records.ts";
import { openSite, type Site, type SiteOptions } from "../support/site.ts";

/** Clusters at a site whose numbers are written in NetBox, and given out by Slipway or by NetBox. */

const minute = 60_000;
const ways = ["slipway", "netbox"] as const satisfies GivenOutBy[];

async function open(way: GivenOutBy, options: SiteOptions = {}): Promise<Site> {
  const site = await openSite(options);
  await siteWithNetbox(way)(site);
  return site;
}

const ended = async (site: Site, id: string) => (await site.settled(id)).status.state;

async function ready(site: Site, name = "c1"): Promise<string> {
  const id = await site.order(name);
  expect(await ended(site, id)).toBe("OPERATION_STATE_SUCCEEDED");
  return id;
}

async function gone(site: Site, id: string): Promise<void> {
  accepted(await site.api("DELETE", `clusters/${id}`));
  expect(await ended(site, id)).toBe("OPERATION_STATE_SUCCEEDED");
}

const types = ["ipam.vlan", "ipam.prefix", "ipam.ipaddress"] as const;

/** What NetBox shows of our numbers: what is in use, and for whom. */
const shownIn = ({ world }: Site) =>
  types.flatMap((type) =>
    world.site.netbox.records.list(type).flatMap((row) => {
      if (row.tags.length === 0) return [];
      const what =
        "vid" in row ? row.vid : "prefix" in row ? row.prefix : row.address.split("/")[0];
      return [`${what} ${row.status} ${row.custom_fields.slipway_holder ?? ""}`.trim()];
    }),
  );

/** What NetBox is to show of a cluster, by its record. */
async function recorded(site: Site, id: string): Promise<string[]> {
  const record = await mustLoad(recordsIn(site.laptop.store), "cluster", id);
  const { vlan, network, floating_ips: outside } = record.site ?? {};
  return [vlan, network?.prefix, outside?.api, outside?.ingress].map(
    (what) => `${what} active cluster/${id}`,
  );
}

async function look(site: Site): Promise<void> {
  await site.laptop.pass(15 * minute);
  await site.laptop.clock.until(sweepSiteOrphans(site.laptop.deps, "site-1"));
  // Until the event of it is told.
  await site.laptop.pass(minute);
}

const drift = async (site: Site) =>
  (await site.admin("GET", "sites/site-1")).body.status.allocator?.items;

/** What the provider's events say of the allocator of the site, each with how many numbers are otherwise. */
const told = async (site: Site) =>
  (await logOf(site.laptop, sharedTenant)).flatMap(({ event: { subject, data } }) => {
    const isTold = data.changed.some((path) => path.startsWith("status.allocator"));
    if (subject !== "sites/site-1" || !isTold) return [];
    const { status } = siteSchema.parse(data.object);
    return [status.allocator?.drift];
  });

describe.each(ways)("numbers in NetBox that %s gives out", (way) => {
  it("are shown while a cluster has them, rest after it, and are gone in the end", {
    tags: "smoke",
  }, async () => {
    const site = await open(way);
    const id = await ready(site);
    const expected = await recorded(site, id);
    expect(shownIn(site)).toEqual(expected);
    expect(await wrongInBooks(site)).toEqual([]);
    await look(site);
    expect(await drift(site)).toEqual([]);
    await gone(site, id);
    expect(site.owned()).toEqual([]);
    expect(shownIn(site).map((line) => line.split(" ")[1])).toEqual(
      Array.from({ length: 4 }, () => "deprecated"),
    );
    await look(site);
    expect(shownIn(site)).toEqual([]);
    expect(await wrongInBooks(site)).toEqual([]);
  });

  it.each<[string, FaultInput]>([
    ["is unreachable for a while", { target: "inventory", fault: "crash_before", count: 9 }],
    ["loses its answers", { target: "inventory", fault: "crash_after", count: 9 }],
    ["is busy", { target: "inventory", fault: "error", status: 503, count: 9 }],
    ["hangs", { target: "inventory", fault: "timeout", count: 3 }],
    [
      "loses the answer of a write",
      { target: "inventory", operation: "POST", fault: "crash_after", count: 3 },
    ],
  ])("come and go while NetBox %s", async (_, fault) => {
    const site = await open(way);
    site.world.faults.add(fault);
    const id = await ready(site);
    expect(shownIn(site)).toEqual(expect.arrayContaining(await recorded(site, id)));
    site.world.faults.add(fault);
    await gone(site, id);
    expect(site.owned()).toEqual([]);
    expect(await wrongInBooks(site)).toEqual([]);
  });

  it("are waited for while NetBox does not answer, and the operation says so", async () => {
    const site = await open(way);
    site.world.faults.add({ target: "inventory", fault: "error", status: 503, count: 0 });
    const id = await site.order("c1");
    await site.laptop.pass(5 * minute);
    const { body } = await site.api("GET", "operations");
    expect(JSON.stringify(body.items[0].status)).toContain("NetBox cannot do this now");
    site.world.faults.clear();
    expect(await ended(site, id)).toBe("OPERATION_STATE_SUCCEEDED");
    expect(shownIn(site)).toEqual(await recorded(site, id));
  });
});

describe.each(ways)("a NetBox that shows otherwise what %s gives out", (way) => {
  it("is told of in the site's status and in events until a person has mended it", async () => {
    const site = await open(way);
    const id = await ready(site);
    const { records } = site.world.site.netbox;
    const vlan = records.list("ipam.vlan")[0];
    const prefix = records.list("ipam.prefix").find(({ tags }) => tags.length > 0);
    const address = records.list("ipam.ipaddress")[0];
    if (!vlan || !prefix || !address) throw new Error("NetBox has no numbers");
    records.remove("ipam.vlan", vlan.id);
    const custom_fields = { ...prefix.custom_fields, slipway_holder: "cluster/other" };
    records.change("ipam.prefix", prefix.id, { custom_fields });
    records.change("ipam.ipaddress", address.id, { tags: [] });
    const { site: own } = await mustLoad(recordsIn(site.laptop.store), "cluster", id);
    expect(own?.vlan).toBe(vlan.vid);
    await look(site);
    const has = `cluster/${id} has it, and NetBox`;
    expect(await drift(site)).toEqual([
      { pool: "vlans", number: String(vlan.vid), message: `${has} does not have it` },
      {
        ...{ pool: "prefixes", number: own?.network?.prefix },
        message: `${has} shows it as active for cluster/other`,
      },
      {
        ...{ pool: "floating_ips", number: address.address.split("/")[0] },
        message: `${has} has it for something else`,
      },
    ]);
    expect(await told(site)).toEqual([0, 3]);
    await look(site);
    // Nothing has changed since.
    expect(await told(site)).toEqual([0, 3]);
    // The cluster goes on, and nothing of it is changed in NetBox.
    expect((await site.cluster(id)).status.state).toBe("CLUSTER_STATE_READY");
    expect(records.list("ipam.vlan")).toEqual([]);
    records.change("ipam.prefix", prefix.id, { custom_fields: prefix.custom_fields });
    records.change("ipam.ipaddress", address.id, { tags: address.tags });
    await look(site);
    expect(await drift(site)).toMatchObject([{ pool: "vlans" }]);
    expect(await told(site)).toEqual([0, 3, 1]);
    await gone(site, id);
    await look(site);
    expect(await drift(site)).toEqual([]);
    expect(await told(site)).toEqual([0, 3, 1, 0]);
    expect(shownIn(site)).toEqual([]);
    expect(await wrongInBooks(site)).toEqual([]);
  });
});

describe("a NetBox in which people have been", () => {
  it("gives no order a number that a cluster has, though a person has deleted it there", async () => {
    const site = await open("netbox");
    const id = await ready(site);
    const { records } = site.world.site.netbox;
    const has = (await recorded(site, id)).map((line) => line.split(" ")[0]);
    for (const type of types)
      for (const { id, tags } of records.list(type)) if (tags.length > 0) records.remove(type, id);
    await look(site);
    expect(await drift(site)).toHaveLength(4);
    const others = await recorded(site, await ready(site, "c2"));
    expect(others.filter((line) => has.includes(line.split(" ")[0]))).toEqual([]);
    await gone(site, id);
    await look(site);
    await look(site);
    expect(await drift(site)).toEqual([]);
    expect(shownIn(site)).toEqual(others);
    expect(await wrongInBooks(site)).toEqual([]);
  });

  it("gives an order another number where a person has written into NetBox", async () => {
    const site = await open("slipway");
    const { records } = site.world.site.netbox;
    const bare = { status: "active", description: "", tags: [], custom_fields: {} };
    const vid = 100;
    const theirs = records.add("ipam.vlan", { ...bare, vid, name: "printers", group: 1 });
    const id = await ready(site);
    expect((await mustLoad(recordsIn(site.laptop.store), "cluster", id)).site?.vlan).toBe(101);
    await look(site);
    expect(await drift(site)).toEqual([
      {
        ...{ pool: "vlans", number: "100" },
        message: "NetBox has it for something else, so no order gets it",
      },
    ]);
    const { pools } = (await site.admin("GET", "sites/site-1")).body.status;
    expect(pools.vlans).toMatchObject({ used: 2, orphaned: 1 });
    expect(records.get("ipam.vlan", theirs.id)).toEqual(theirs);
    expect(await wrongInBooks(site)).toEqual([]);
    await gone(site, id);
    records.remove("ipam.vlan", theirs.id);
    await look(site);
    expect(await drift(site)).toEqual([]);
    expect(await wrongInBooks(site)).toEqual([]);
  });
});

it.each(ways)(
  "orders race for the last numbers that %s gives out, and each has them in turn",
  async (way) => {
    const network = { vlans: { first: 100, last: 101 }, rest_minutes: 1 };
    const site = await open(way, { network });
    const names = Array.from({ length: 5 }, (_, n) => `c${n}`);
    const ids = await Promise.all(
      names.map((name) => site.order(name, { node_sets: { workers: { size: 1 } } })),
    );
    for (const id of ids) {
      expect(await ended(site, id)).toBe("OPERATION_STATE_SUCCEEDED");
      expect(shownIn(site)).toEqual(expect.arrayContaining(await recorded(site, id)));
      await gone(site, id);
    }
    expect(site.owned()).toEqual([]);
    expect(await wrongInBooks(site)).toEqual([]);
  },
);
