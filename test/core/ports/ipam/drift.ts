import { describe, expect, it } from "vitest";
import { numberIn, opened, pool, type Row } from "./netbox/opened.ts";
import { type ipamIn, type Of, places, type writtenIn } from "./netbox/world.ts";

/** People change in NetBox what it shows: it is told, and mended by nobody but people. */
export function driftContract(who: string, adapter: typeof ipamIn | typeof writtenIn): void {
  const open = (of: Of, options?: Parameters<typeof adapter>[1]) => opened(adapter, of, 2, options);
  describe(`a NetBox that shows otherwise numbers that ${who}`, () => {
    const marksOf = (row: Row | undefined, fields: object) => ({
      custom_fields: { ...row?.custom_fields, ...fields },
    });
    type World = Awaited<ReturnType<typeof open>>;
    const first = ({ rows }: World) => rows()[0];
    const change = (world: World, fields: object) =>
      world.sim.records.change(world.type, first(world)?.id ?? 0, fields as never);

    const cases: [string, (world: World) => void, string][] = [
      [
        "lacks it",
        (world) => world.sim.records.remove(world.type, first(world)?.id ?? 0),
        "cluster/cluster-0 has it, and NetBox does not have it",
      ],
      [
        "shows it at rest",
        (world) => change(world, { status: "deprecated" }),
        "cluster/cluster-0 has it, and NetBox shows it at rest",
      ],
      [
        "shows it for another",
        (world) => change(world, marksOf(first(world), { slipway_holder: "cluster/other" })),
        "cluster/cluster-0 has it, and NetBox shows it as active for cluster/other",
      ],
      [
        "shows it as reserved",
        (world) => change(world, { status: "reserved" }),
        "cluster/cluster-0 has it, and NetBox shows it as reserved for cluster/cluster-0",
      ],
      [
        "has it without our tag",
        (world) => change(world, { tags: [] }),
        "cluster/cluster-0 has it, and NetBox has it for something else",
      ],
    ];

    it.each(places.flatMap((of) => cases.map((each) => [of, ...each] as const)))(
      "%s: %s",
      async (of, _, disagree, message) => {
        const world = await open(of);
        const { claim, ipam, release, held, rows } = world;
        await claim();
        const before = first(world);
        disagree(world);
        const after = rows();
        expect(await ipam.drift(pool)).toEqual([{ number: 100, message }]);
        await ipam.hold(pool, new Map());
        // Nobody mends it but a person.
        expect(await claim()).toEqual({ claimed: [100] });
        expect(rows()).toEqual(after);
        expect(await ipam.drift(pool)).toEqual([{ number: 100, message }]);
        if (after.length > 0) {
          const { custom_fields, status, tags } = before ?? {};
          change(world, { custom_fields, status, tags });
          expect(await ipam.drift(pool)).toEqual([]);
        }
        expect(await release()).toEqual([100]);
        expect(await held()).toEqual([]);
        expect(await ipam.usage(pool)).toMatchObject({ used: 0, size: 20 });
        expect(await ipam.drift(pool)).toEqual([]);
      },
    );

    it.each(places.flatMap((of) => cases.map((each) => [of, ...each] as const)))(
      "%s: %s, and the number goes to nobody else as long as it has a holder",
      async (of, _, disagree) => {
        const world = await open(of);
        const { claim, ipam, release, held, clock, rows, sim, type } = world;
        await claim();
        disagree(world);
        await ipam.hold(pool, new Map());
        await clock.advance(pool.rest);
        await ipam.hold(pool, new Map());
        expect(await claim(1, 20)).toHaveProperty("short");
        await clock.advance(1);
        const others = Array.from({ length: 19 }, (_, n) => 101 + n);
        expect(await claim(1, 19)).toEqual({ claimed: others });
        expect(await held(0)).toEqual([100]);
        expect(await ipam.drift(pool)).toMatchObject([{ number: 100 }]);
        // A person mends it, and then it is given back.
        for (const row of rows()) if (numberIn(row) === 100) sim.records.remove(type, row.id);
        await release(0);
        await release(1);
        expect(await ipam.drift(pool)).toEqual([]);
        await clock.advance(pool.rest);
        await ipam.hold(pool, new Map());
        expect(await claim(1, 20)).toHaveProperty("claimed");
      },
    );

    it("shows a number as another one", async () => {
      const world = await open("vlans");
      await world.claim();
      change(world, { vid: 105 });
      expect(await world.ipam.drift(pool)).toEqual([
        { number: 100, message: "cluster/cluster-0 has it, and NetBox does not have it" },
        { number: 105, message: "NetBox shows it for cluster/cluster-0, and no record has it" },
      ]);
    });

    it.each(places)(
      "lacks all %s that were given out: it is read twice, and not number by number",
      async (of) => {
        const world = await open(of);
        const { claim, ipam, rows, sim, type, network } = world;
        await claim(0, 20);
        for (const { id } of rows()) sim.records.remove(type, id);
        const asked = network.asked.length;
        expect(await ipam.drift(pool)).toHaveLength(20);
        expect(network.asked.length - asked).toBe(2);
      },
    );

    it("has one twice, and shows one that nobody has", async () => {
      const world = await open("prefixes", { version: 4.5, isUnique: false });
      const { claim, release, ipam, sim, type } = world;
      await claim(0);
      await claim(1);
      const [one, two] = world.rows();
      if (!one || !two) throw new Error("there are no prefixes");
      sim.records.add(type, { ...one } as never);
      sim.records.change(type, two.id, {
        custom_fields: { ...two.custom_fields, slipway_holder: "x" },
      });
      await release(1);
      expect(await ipam.drift(pool)).toEqual([
        { number: 100, message: "cluster/cluster-0 has it, and NetBox has it twice" },
        { number: 101, message: "NetBox shows it for x, and no record has it" },
      ]);
    });

    it.each([
      ["claim", async ({ claim }: World) => claim(1)],
      ["release", async ({ release }: World) => release(0)],
    ] as const)("is no drift while a %s comes between the two readings", async (_, comes) => {
      const world = await open("vlans");
      const { network, claim, ipam } = world;
      await claim(0);
      let lists = 0;
      network.before = async ({ path }) => {
        if (path.includes("vid__gte") && lists++ === 0) await comes(world);
      };
      expect(await ipam.drift(pool)).toEqual([]);
      expect(lists).toBeGreaterThan(1);
    });
  });
}
