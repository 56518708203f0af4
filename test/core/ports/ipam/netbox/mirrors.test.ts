import { describe, expect, it } from "vitest";
import { exists } from "../../../../../core/kernel/store/store.ts";
import { ipamContract } from "../contract.ts";
import { driftContract } from "../drift.ts";
import { numberIn, opened, openWorld, pool } from "./opened.ts";
import { type Of, places, writtenIn } from "./world.ts";

for (const of of places)
  ipamContract(`${of} that Slipway writes into NetBox`, openWorld, writtenIn(of), 6);
ipamContract(
  "prefixes that Slipway writes into a NetBox that lets two have the same",
  openWorld,
  writtenIn("prefixes", { version: 4.5, isUnique: false }),
  3,
);
ipamContract(
  "VLANs that Slipway writes into NetBox 4.7",
  openWorld,
  writtenIn("vlans", { version: 4.7 }),
  3,
);

driftContract("Slipway gives out", writtenIn);

const open = (of: Of, clusters?: number, options?: Parameters<typeof writtenIn>[1]) =>
  opened(writtenIn, of, clusters, options);

const theirs = {
  vlans: { vid: 100, name: "printers", group: 1 },
  prefixes: { prefix: "10.64.25.0/26", vlan: null },
  addresses: { address: "0.0.0.100/24", dns_name: "printer.example.com", assigned_object_id: null },
};
const bare = { status: "active", description: "", tags: [], custom_fields: {} };

const marks = (holder: string | null, until: string | null = null) => ({
  slipway_pool: "vlans#site",
  slipway_holder: holder,
  slipway_rests_until: until,
});

describe("Slipway's own numbers, written into NetBox", () => {
  it("NetBox gets these requests for a claim of a VLAN id, and for its release", async () => {
    const { claim, release, network } = await open("vlans");
    await claim();
    await release();
    const search = "GET /api/ipam/vlans/?group_id=1&vid=100&ordering=id&limit=500";
    expect(network.asked.map(({ method, path, body }) => [`${method} ${path}`, body])).toEqual([
      [search, undefined],
      [
        "POST /api/ipam/vlans/",
        {
          ...{ group: 1, vid: 100, name: "cluster/cluster-0 100", status: "active" },
          ...{ tags: [{ slug: "slipway" }], custom_fields: marks("cluster/cluster-0") },
        },
      ],
      [search, undefined],
      [search, undefined],
      [search, undefined],
      [
        "PATCH /api/ipam/vlans/1/",
        {
          ...{ name: "slipway resting 100", status: "deprecated" },
          custom_fields: marks(null, "2026-01-01T00:01:00.000Z"),
        },
      ],
    ]);
  });

  it.each(places)(
    "%s are shown from claim to claim, and asked for no more than needed",
    async (of) => {
      const { claim, release, shown, clock, network, expectSettled } = await open(of);
      expect(await claim(0, 2)).toEqual({ claimed: [100, 101] });
      expect(shown()).toEqual([100, 101].map((n) => [n, "active", "cluster/cluster-0"]));
      const asked = network.asked.length;
      await claim(0, 2);
      expect(network.asked).toHaveLength(asked);
      await release();
      expect(shown()).toEqual([100, 101].map((n) => [n, "deprecated", null]));
      await clock.advance(pool.rest);
      expect(await claim(1, 20)).toHaveProperty("claimed");
      expect(shown().toSorted()).toEqual(
        Array.from({ length: 20 }, (_, n) => [100 + n, "active", "cluster/cluster-1"]),
      );
      await expectSettled();
    },
  );

  it("removes what has rested at the hourly look, and no sooner", async () => {
    const { claim, release, ipam, clock, shown } = await open("addresses");
    await claim();
    await release();
    await ipam.hold(pool, new Map());
    expect(shown()).toHaveLength(1);
    await clock.advance(pool.rest);
    await ipam.hold(pool, new Map());
    expect(shown()).toEqual([]);
  });

  it("shows what is left of others as reserved, for as long as it is there", async () => {
    const { ipam, shown, expectSettled } = await open("prefixes");
    await ipam.hold(pool, new Map([[102, "lost"]]));
    expect(shown()).toEqual([[102, "reserved", "lost"]]);
    await expectSettled();
    await ipam.hold(pool, new Map());
    expect(shown()).toEqual([[102, "deprecated", null]]);
    await expectSettled();
  });

  it.each(places)("takes no %s that a person has written there, and tells of them", async (of) => {
    const { claim, sim, ipam, type, held, clock, rows } = await open(of);
    const { id } = sim.records.add(type, { ...bare, ...theirs[of] } as never);
    const before = sim.records.get(type, id);
    expect(await claim(0, 2)).toEqual({ claimed: [102, 103] });
    expect(await held()).toEqual([102, 103]);
    const drift = [
      { number: 100, message: "NetBox has it for something else, so no order gets it" },
    ];
    expect(await ipam.drift(pool)).toEqual(drift);
    await ipam.hold(pool, new Map());
    await clock.advance(pool.rest);
    expect(await claim(1, 18)).toHaveProperty("short");
    expect(await ipam.drift(pool)).toEqual(drift);
    expect(sim.records.get(type, id)).toEqual(before);
    expect(rows().filter((row) => numberIn(row) === 100)).toEqual([before]);
    sim.records.remove(type, id);
    await ipam.hold(pool, new Map());
    expect(await ipam.drift(pool)).toEqual([]);
    await clock.advance(pool.rest);
    expect(await claim(1, 18)).toHaveProperty("claimed");
  });

  it("takes no number that another claim of ours shows there, whoever that is", async () => {
    const { claim, sim, ipam } = await open("vlans");
    const tags = [sim.records.list("extras.tag")[0]?.id ?? 0];
    const custom_fields = marks("cluster/of-a-newer-table");
    const row = { ...bare, ...theirs.vlans, tags, custom_fields };
    sim.records.add("ipam.vlan", row);
    expect(await claim()).toEqual({ claimed: [101] });
    expect(sim.records.list("ipam.vlan")[0]).toMatchObject(row);
    expect(await ipam.drift(pool)).toHaveLength(1);
  });

  it("has nothing where there are too few numbers that are nobody else's", async () => {
    const { claim, sim, held, ipam, shown, clock, release } = await open("vlans");
    sim.records.add("ipam.vlan", { ...bare, ...theirs.vlans, vid: 119 });
    expect(await claim(0, 20)).toMatchObject({ short: { used: 1, size: 20 } });
    expect(await held()).toEqual([]);
    expect(shown().filter(([, status]) => status === "active")).toHaveLength(1);
    expect(await ipam.drift(pool)).toHaveLength(1);
    await clock.advance(1);
    expect(await claim(0, 19)).toHaveProperty("claimed");
    await release();
    expect(await ipam.usage(pool)).toEqual({ used: 1, resting: 19, size: 20 });
  });

  it.each(places)("gives two attempts that ask at once the same %s, once", async (of) => {
    const options = { version: 4.5, isUnique: false } as const;
    const { claim, held, shown, expectSettled } = await open(of, 1, options);
    const claims = await Promise.all([claim(0, 2), claim(0, 2), claim(0, 2)]);
    expect(claims).toEqual(Array.from({ length: 3 }, () => ({ claimed: [100, 101] })));
    expect(await held()).toEqual([100, 101]);
    expect(shown()).toEqual([100, 101].map((n) => [n, "active", "cluster/cluster-0"]));
    await expectSettled();
  });

  it("waits while NetBox is unreachable, and loses nothing that it was to be told", async () => {
    const { claim, release, held, faults, shown, clock, expectSettled } = await open("vlans");
    const away = () => faults.add({ target: "inventory", fault: "error", status: 503, count: 1 });
    away();
    await expect(claim(0)).rejects.toMatchObject({ kind: "Unavailable" });
    expect(await held(0)).toEqual([100]);
    away();
    await expect(release(0)).rejects.toMatchObject({ kind: "Unavailable" });
    expect(await held(0)).toEqual([]);
    expect(await release(0)).toEqual([100]);
    expect(shown()).toEqual([]);
    expect(await claim(0)).toEqual({ claimed: [101] });
    away();
    await expect(release(0)).rejects.toMatchObject({ kind: "Unavailable" });
    // Others may have the number before NetBox has heard of its release.
    await clock.advance(pool.rest);
    expect(await claim(1, 20)).toHaveProperty("claimed");
    expect(await release(0)).toEqual([]);
    expect(
      shown().every(([, status, of]) => status === "active" && of === "cluster/cluster-1"),
    ).toBe(true);
    await expectSettled();
  });

  it("writes nothing there for an operation that has turned back", async () => {
    const { claim, store, network, sim, held, release, expectSettled } = await open("vlans");
    const key = { pk: "operation#1", sk: "-" };
    await store.transact([{ put: key }]);
    network.before = async ({ method }) => {
      if (method === "GET") await store.transact([{ delete: key }]);
    };
    const fence = [{ check: key, if: exists }];
    await expect(claim(0, 1, fence)).rejects.toMatchObject({ kind: "Cancelled" });
    expect(await held()).toEqual([100]);
    expect(sim.records.list("ipam.vlan")).toEqual([]);
    await release();
    await expectSettled();
  });

  it("finishes at the hourly look what a crash has cut off", async () => {
    const { claim, release, faults, ipam, shown, expectSettled } = await open("vlans");
    const crash = () => faults.add({ target: "inventory", fault: "crash_before" });
    crash();
    await expect(claim()).rejects.toThrow();
    expect(await ipam.drift(pool)).toEqual([]);
    await ipam.hold(pool, new Map());
    expect(shown()).toEqual([[100, "active", "cluster/cluster-0"]]);
    crash();
    await expect(release()).rejects.toThrow();
    expect(await ipam.drift(pool)).toEqual([]);
    await ipam.hold(pool, new Map());
    expect(shown()).toEqual([[100, "deprecated", null]]);
    await expectSettled();
  });
});
