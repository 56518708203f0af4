import { describe, expect, it } from "vitest";
import { asOperationId, type OperationId } from "../../../../../core/id.ts";
import { changeObject } from "../../../../../core/kernel/events/rewrite.ts";
import { missingInNetbox } from "../../../../../core/ports/ipam/netbox/prerequisites.ts";
import { recordsIn } from "../../../../support/records.ts";
import { VirtualClock } from "../../../../support/virtual-clock.ts";
import { ipamContract } from "../contract.ts";
import { driftContract } from "../drift.ts";
import { opened, openWorld, pool } from "./opened.ts";
import { ipamIn, netboxOn, type Of, places } from "./world.ts";

for (const of of places) ipamContract(`${of} that NetBox gives out`, openWorld, ipamIn(of), 6);
ipamContract(
  "prefixes that NetBox 4.5 gives out",
  openWorld,
  ipamIn("prefixes", { version: 4.5, isUnique: false }),
  3,
);
ipamContract("VLANs that NetBox 4.7 gives out", openWorld, ipamIn("vlans", { version: 4.7 }), 3);

driftContract("NetBox gives out", ipamIn);

const open = (of: Of, clusters = 1) => opened(ipamIn, of, clusters);

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

  it("gives another number where a person has freed one that a record has, and shows that at rest", async () => {
    const { claim, sim, ipam, held, release, clock } = await open("vlans", 2);
    await claim(0);
    sim.records.remove("ipam.vlan", 1);
    expect(await claim(1)).toEqual({ claimed: [101] });
    expect(await held(0)).toEqual([100]);
    const drift = [
      { number: 100, message: "cluster/cluster-0 has it, and NetBox shows it at rest" },
    ];
    expect(await ipam.drift(pool)).toEqual(drift);
    await clock.advance(pool.rest);
    await ipam.hold(pool, new Map());
    expect(await ipam.drift(pool)).toEqual(drift);
    await release(0);
    await ipam.hold(pool, new Map());
    expect(await ipam.drift(pool)).toEqual([]);
    expect(sim.records.list("ipam.vlan")).toMatchObject([{ vid: 101 }]);
  });

  it("waits where NetBox gives out one number after the other that records have", async () => {
    const { claim, sim, held, clock } = await open("vlans", 40);
    const wide = { ...pool, size: 60 };
    sim.records.change("ipam.vlangroup", 1, { vid_ranges: [[100, 159]] });
    for (let n = 0; n < 30; n++) await claim(n, 1, [], wide);
    for (const { id } of sim.records.list("ipam.vlan")) sim.records.remove("ipam.vlan", id);
    await expect(claim(30, 1, [], wide)).rejects.toMatchObject({
      kind: "Unavailable",
      message: "NetBox gives out numbers of pool vlans#site that others have; it is tried again",
    });
    expect(await held(30)).toEqual([]);
    await clock.advance(1);
    expect(await claim(30, 1, [], wide)).toEqual({ claimed: [130] });
  });

  it("shows for its holder what a claim has left that was cut off: no drift while its operation runs", async () => {
    const { claim, clock, faults, ipam, store } = await open("vlans");
    const running = async (operation: OperationId | undefined) =>
      changeObject({ ...recordsIn(store), clock }, "cluster", "cluster-0", (cluster) => ({
        ...cluster,
        operation,
      }));
    await running(asOperationId("operation-1"));
    faults.add({ target: "inventory", operation: "POST", fault: "crash_after" });
    await expect(claim()).rejects.toMatchObject({ kind: "Unavailable" });
    expect(await ipam.drift(pool)).toEqual([]);
    await running(undefined);
    expect(await ipam.drift(pool)).toEqual([
      { number: 100, message: "NetBox shows it for cluster/cluster-0, and no record has it" },
    ]);
  });

  it("tells of what is kept for things outside, and keeps it from others", async () => {
    const { claim, sim, ipam } = await open("vlans");
    const lost = new Map([[100, "lost"]]);
    await ipam.hold(pool, lost);
    expect(await ipam.drift(pool)).toEqual([]);
    sim.records.remove("ipam.vlan", 1);
    await ipam.hold(pool, lost);
    expect(await ipam.drift(pool)).toEqual([
      { number: 100, message: "it is reserved for the rest of lost, and NetBox does not have it" },
    ]);
    expect(await claim()).toEqual({ claimed: [101] });
    await ipam.hold(pool, new Map());
    expect(await ipam.drift(pool)).toEqual([]);
  });

  it("leaves what a person has reserved in our name, and tells of it", async () => {
    const { sim, ipam } = await open("vlans");
    const tags = [sim.records.list("extras.tag")[0]?.id ?? 0];
    const row = { vid: 100, name: "by hand", group: 1, description: "", status: "reserved", tags };
    const { id } = sim.records.add("ipam.vlan", { ...row, custom_fields: marks("somebody/1") });
    await ipam.hold(pool, new Map());
    expect(sim.records.get("ipam.vlan", id)).toMatchObject(row);
    expect(await ipam.drift(pool)).toEqual([
      { number: 100, message: "NetBox shows it for somebody/1, and no record has it" },
    ]);
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
    expect(await missingInNetbox(api, all, "netbox")).toEqual([]);
    expect(await missingInNetbox(api, all, "slipway")).toEqual([]);
    sim.records.remove("extras.tag", 1);
    sim.records.remove("extras.customfield", 2);
    const other = { ...pool, first: 101 };
    const elsewhere = { ...placed.prefixes, cidr: "10.65.0.0/18" };
    const wrong = [placed.vlans, elsewhere, placed.addresses];
    expect(
      await missingInNetbox(
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
    expect(await missingInNetbox(api, [fewer], "slipway")).toEqual(marks);
    expect(await missingInNetbox(api, [vlans], "slipway")).toEqual([
      ...marks,
      "VLAN group 1 with all ids from 110 to 120",
    ]);
  });
});
