import { describe, expect, it } from "vitest";
import { minutes } from "../../../../../core/clock.ts";
import { mustLoad, putNew } from "../../../../../core/kernel/object/records.ts";
import { openSqliteStore } from "../../../../../core/kernel/store/sqlite/sqlite.ts";
import type { NumberPool } from "../../../../../core/ports/ipam/ipam.ts";
import { lacksFor } from "../../../../../core/ports/ipam/netbox/lacks.ts";
import { kinds } from "../../../../../core/resources/generated/kinds.ts";
import { clusterRecord } from "../../../../support/cluster-record.ts";
import { heldIn, holderOf } from "../../../../support/holders.ts";
import { recordsIn } from "../../../../support/records.ts";
import { VirtualClock } from "../../../../support/virtual-clock.ts";
import { ipamContract } from "../contract.ts";
import { ipamIn, netboxOn, places } from "./world.ts";

const openWorld = () => ({ store: openSqliteStore(":memory:"), clock: new VirtualClock() });

for (const of of places) ipamContract(`${of} that NetBox gives out`, openWorld, ipamIn(of), 6);
ipamContract(
  "prefixes that NetBox 4.5 gives out",
  openWorld,
  ipamIn("prefixes", { version: 4.5, isUnique: false }),
  3,
);
ipamContract("VLANs that NetBox 4.7 gives out", openWorld, ipamIn("vlans", { version: 4.7 }), 3);

const pool: NumberPool = { name: "vlans#site", first: 100, size: 20, rest: minutes(1) };

async function open(of: (typeof places)[number], clusters = 1) {
  const world = openWorld();
  const { store, clock } = world;
  for (let n = 0; n < clusters; n++)
    await store.transact(putNew(kinds, clusterRecord(clock.now(), `cluster-${n}`)));
  const ipam = ipamIn(of)(world);
  const { network, sim, faults } = netboxOn(clock);
  const holder = (n = 0) => holderOf("cluster", `cluster-${n}`);
  return {
    ...{ ...world, ipam, network, sim, faults, holder },
    claim: (n = 0, count = 1) => ipam.claim(pool, holder(n), { count, fence: [] }),
    held: async (n = 0) => heldIn(await mustLoad(recordsIn(store), "cluster", `cluster-${n}`)),
  };
}

const marks = (holder: string | null, until: string | null = null) => ({
  slipway_pool: "vlans#site",
  slipway_holder: holder,
  slipway_rests_until: until,
});

describe("NetBox as the allocator", () => {
  it("gets these requests for a claim of VLAN ids, and for their release", async () => {
    const { claim, ipam, holder, network } = await open("vlans");
    await claim(0, 2);
    await ipam.release(pool, holder());
    const search =
      "GET /api/ipam/vlans/?tag=slipway&status=active&cf_slipway_holder=cluster/cluster-0&ordering=id&limit=500";
    const common = { status: "active", tags: [{ slug: "slipway" }] };
    const rests = { status: "deprecated", custom_fields: marks(null, "2026-01-01T00:01:00.000Z") };
    expect(network.asked.map(({ method, path, body }) => [`${method} ${path}`, body])).toEqual([
      [search, undefined],
      [
        "POST /api/ipam/vlan-groups/1/available-vlans/",
        [1, 2].map((n) => ({
          ...{ name: `cluster/cluster-0 ${n}`, ...common },
          custom_fields: marks("cluster/cluster-0"),
        })),
      ],
      [search, undefined],
      [search, undefined],
      ["PATCH /api/ipam/vlans/1/", { name: "slipway resting 100", ...rests }],
      ["PATCH /api/ipam/vlans/2/", { name: "slipway resting 101", ...rests }],
    ]);
  });

  it.each([
    ["prefixes", "/api/ipam/prefixes/1/available-prefixes/", { prefix_length: 26 }],
    ["addresses", "/api/ipam/ip-ranges/1/available-ips/", {}],
  ] as const)("is asked for %s without a name", async (of, path, wish) => {
    const { claim, network } = await open(of);
    expect(await claim()).toEqual({ claimed: [100] });
    expect(network.asked.find(({ method }) => method === "POST")).toMatchObject({
      path,
      body: [
        {
          ...{ ...wish, status: "active", tags: [{ slug: "slipway" }] },
          custom_fields: marks("cluster/cluster-0"),
        },
      ],
    });
  });

  it.each(places)("gives %s once when its answer was lost", async (of) => {
    const { claim, faults, held, ipam } = await open(of);
    faults.add({ target: "inventory", operation: "POST", fault: "crash_after" });
    await expect(claim()).rejects.toMatchObject({ kind: "Unavailable" });
    expect(await held()).toEqual([]);
    expect(await claim()).toEqual({ claimed: [100] });
    expect(await ipam.usage(pool)).toEqual({ used: 1, resting: 0, size: 20 });
  });

  it.each(places)("gives two attempts that ask at once the same %s", async (of) => {
    const { claim, ipam, held } = await open(of);
    const claims = await Promise.all([claim(0, 2), claim(0, 2), claim(0, 2)]);
    expect(claims).toEqual(Array.from({ length: 3 }, () => ({ claimed: [100, 101] })));
    expect(await held()).toEqual([100, 101]);
    expect(await ipam.survey(pool)).toEqual({ used: 2, resting: 0, size: 20, foreign: 0 });
  });

  it("frees with the release what a claim that was cut off has left", async () => {
    const { ipam, holder, faults, claim, clock, held } = await open("prefixes");
    faults.add({ target: "inventory", operation: "POST", fault: "crash_after" });
    await expect(claim()).rejects.toMatchObject({ kind: "Unavailable" });
    expect(await ipam.release(pool, holder())).toEqual([100]);
    expect(await held()).toEqual([]);
    await clock.advance(pool.rest);
    expect(await ipam.survey(pool)).toMatchObject({ used: 0, resting: 0 });
  });

  it("goes on with a release that was cut off in the middle", async () => {
    const { ipam, holder, faults, claim, held } = await open("addresses");
    await claim(0, 2);
    faults.add({ target: "inventory", operation: "PATCH", fault: "crash_after" });
    await expect(ipam.release(pool, holder())).rejects.toMatchObject({ kind: "Unavailable" });
    expect(await held()).toEqual([]);
    expect(await ipam.release(pool, holder())).toEqual([101]);
    expect(await ipam.usage(pool)).toEqual({ used: 0, resting: 2, size: 20 });
  });

  it("takes nothing that somebody else has written there, and counts it as used", async () => {
    const { claim, sim, ipam } = await open("vlans", 2);
    const bare = { status: "active", description: "", tags: [], custom_fields: {} };
    const theirs = { ...bare, vid: 100, name: "printers", group: 1 };
    const { id } = sim.records.add("ipam.vlan", theirs);
    expect(await claim(0)).toEqual({ claimed: [101] });
    expect(await ipam.usage(pool)).toEqual({ used: 2, resting: 0, size: 20 });
    await ipam.hold(pool, new Map([[100, "lost"]]));
    await ipam.hold(pool, new Map());
    expect(sim.records.get("ipam.vlan", id)).toMatchObject({ name: "printers" });
  });

  it("keeps no number that lies outside of the pool", async () => {
    const { ipam, holder, sim } = await open("vlans");
    const beyond = { ...pool, first: 150 };
    const claimed = await ipam.claim(beyond, holder(), { count: 1, fence: [] });
    expect(claimed).toMatchObject({ short: { used: 0, size: 20 } });
    expect(sim.records.list("ipam.vlan")).toEqual([]);
  });

  it("lets a VLAN rest for as long as a prefix in NetBox is in it", async () => {
    const { claim, ipam, holder, sim, clock } = await open("vlans", 2);
    await claim(0, 20);
    const bare = { status: "active", description: "", tags: [], custom_fields: {} };
    const used = { ...bare, prefix: "10.1.0.0/24", vlan: 1 };
    const prefix = sim.records.add("ipam.prefix", used).id;
    await ipam.release(pool, holder(0));
    await clock.advance(pool.rest);
    expect(await claim(1, 20)).toHaveProperty("short");
    sim.records.remove("ipam.prefix", prefix);
    expect(await claim(1, 20)).toHaveProperty("claimed");
  });

  it("frees no number that was changed while its rest was found over", async () => {
    const { claim, ipam, holder, sim, clock, network } = await open("vlans");
    await claim();
    await ipam.release(pool, holder());
    await clock.advance(pool.rest);
    network.before = async ({ method }) => {
      if (method === "DELETE") {
        await clock.advance(1);
        sim.records.change("ipam.vlan", 1, { status: "active" });
      }
    };
    await ipam.hold(pool, new Map());
    expect(sim.records.get("ipam.vlan", 1)).toMatchObject({ status: "active" });
  });

  it("is in the ledger of the world: held by its owner, and by nobody while it rests", async () => {
    const { claim, ipam, holder, sim } = await open("vlans");
    await claim(0);
    const number = { kind: "netbox_vlan", id: "1/100", system: "netbox" };
    const owner = { tenant: "", kind: "cluster", id: "cluster-0" };
    expect(sim.ledger()).toEqual([{ ...number, owner }]);
    await ipam.release(pool, holder(0));
    expect(sim.ledger()).toEqual([{ ...number, owner: null }]);
  });

  it("says what NetBox says where the tag is missing, and holds nothing", async () => {
    const { claim, sim, held } = await open("vlans");
    sim.records.remove("extras.tag", 1);
    await expect(claim()).rejects.toMatchObject({
      kind: "Rejected",
      message:
        "NetBox refuses: tag: Select a valid choice. slipway is not one of the available choices.",
    });
    expect(await held()).toEqual([]);
  });

  it("is told what it lacks", async () => {
    const clock = new VirtualClock();
    const { sim, placed, api } = netboxOn(clock);
    const all = places.map((of) => ({ pool, place: placed[of] }));
    expect(await lacksFor(api, all, "netbox")).toEqual([]);
    expect(await lacksFor(api, all, "slipway")).toEqual([]);
    sim.records.remove("extras.tag", 1);
    sim.records.remove("extras.customfield", 2);
    const other = { ...pool, first: 101 };
    const elsewhere = { ...placed.prefixes, cidr: "10.65.0.0/18" };
    const wrong = [placed.vlans, elsewhere, placed.addresses];
    expect(
      await lacksFor(
        api,
        wrong.map((place) => ({ pool: other, place })),
        "netbox",
      ),
    ).toEqual([
      "tag slipway",
      "custom field slipway_holder",
      "VLAN group 1 with ids from 101 to 120 alone",
      "prefix 1 that is 10.65.0.0/18",
      "IP range 1 from 0.0.0.101 to 0.0.0.120",
    ]);
    // Who takes what it is given has to have them all, and may have others.
    const wider = { ...pool, first: 110, size: 11 };
    const [vlans, fewer] = [
      { pool: wider, place: placed.vlans },
      { pool: { ...wider, size: 10 }, place: placed.vlans },
    ];
    const marks = ["tag slipway", "custom field slipway_holder"];
    expect(await lacksFor(api, [fewer], "slipway")).toEqual(marks);
    expect(await lacksFor(api, [vlans], "slipway")).toEqual([
      ...marks,
      "VLAN group 1 with all ids from 110 to 120",
    ]);
  });
});
