import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { timestamp } from "../../../../core/clock.ts";
import {
  freeHostsKey,
  heartbeatKey,
  hostsKey,
  hubRegionKey,
  slotsKey,
} from "../../../../core/kernel/object/hub-keys.ts";
import { totalKeys } from "../../../../core/kernel/object/keys.ts";
import { mustLoad, putNew } from "../../../../core/kernel/object/records.ts";
import type { StepContext } from "../../../../core/kernel/saga/context.ts";
import type { Operation } from "../../../../core/kernel/saga/operation.ts";
import { pending } from "../../../../core/kernel/saga/saga.ts";
import type { Write } from "../../../../core/kernel/store/store.ts";
import { noteRoom } from "../../../../core/placement/capacity/note-room.ts";
import {
  constraintsOf,
  type Demand,
  lackingHosts,
  needsOf,
  totals,
} from "../../../../core/placement/choose/demand.ts";
import { type Bounds, plan } from "../../../../core/placement/choose/plan.ts";
import { chooseHub } from "../../../../core/placement/hubs/candidate.ts";
import { candidatesOf } from "../../../../core/placement/hubs/read.ts";
import { entriesOf, towards } from "../../../../core/placement/hubs/room.ts";
import { admitHost } from "../../../../core/placement/pool/entries.ts";
import {
  contended,
  hostQueue,
  slotQueue,
  takeTicket,
  ticketsAhead,
} from "../../../../core/placement/queues/tickets.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { type HubFindings, hubStatus } from "../../../../core/resources/hub/status.ts";
import {
  capacityReserved,
  reserveCapacity,
} from "../../../../statemachines/steps/capacity/reserve.ts";
import { wantedCapacity } from "../../../../statemachines/steps/cluster/capacity.ts";
import { attemptAt } from "../../../support/attempt.ts";
import { counting } from "../../../support/counting-store.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import {
  addHosts,
  addHub,
  addOrder,
  hostsNamed,
  hubRecord,
  poolOf,
  reserveFor,
  startOrder,
} from "../../../support/placement.ts";
import { tries } from "../../../support/seed.ts";

/** Placement where there are too many hubs to read all. */

const step = "ReserveCapacity";
const types = ["big", "small"] as const;
const crowd = hostsNamed("tenant", 9);

const hubs = fc.array(
  fc.record({
    region: fc.constantFrom("eu", "us", undefined),
    tier: fc.constantFrom("gold", "iron"),
    tenants: fc.constantFrom([], [], [], ["tenant-a"], ["tenant-b"], crowd, [...crowd, "tenant-a"]),
    cordoned: fc.constantFrom(false, false, false, true),
    base_domain: fc.constantFrom("example.com", "example.com", "example.com", undefined),
    found: fc.constantFrom("well", "well", "well", "unreached", "silent"),
    capacity: fc.nat(3),
    used: fc.nat(3),
    big: fc.constantFrom(0, 0, 1, 2),
    small: fc.constantFrom(0, 0, 1, 2, 8, 9),
    held: fc.nat(2),
  }),
  { minLength: 6, maxLength: 16 },
);
type Drawn = typeof hubs extends fc.Arbitrary<(infer T)[]> ? T : never;

const demands = fc.array(
  fc.record({
    sizes: fc.constantFrom<Record<string, number>>(
      ...[{}, { small: 1 }, { small: 2 }, { small: 9 }, { big: 1 }, { big: 1, small: 2 }],
    ),
    slot: fc.constantFrom(true, true, true, false),
    where: fc.constantFrom({}, { region: "eu" }, { region: "us" }, { labels: { tier: "gold" } }),
    waits: fc.boolean(),
  }),
  { minLength: 4, maxLength: 6 },
);

async function build(deps: TestDeps, all: readonly Drawn[]): Promise<string[]> {
  const now = deps.clock.now();
  const ids = hostsNamed("hub", all.length);
  for (const [n, drawn] of all.entries()) {
    const id = ids[n] ?? "";
    const { tier, found, used, big, small, held, ...spec } = drawn;
    const bare = hubRecord(id, { ...spec, labels: { tier } }, now);
    const findings: HubFindings = {
      HUB_CONDITION_TYPE_HEARD: { status: found !== "silent", reason: "Test" },
      HUB_CONDITION_TYPE_REACHED: { status: found !== "unreached", reason: "Test" },
    };
    const heard = found === "silent" ? now - 11 * 60_000 : now;
    const free = { big, small };
    await deps.store.transact([
      ...putNew(kinds, { ...bare, status: hubStatus(bare.status, findings, now) }),
      { put: { ...heartbeatKey(id), at: timestamp(heard) } },
      { put: { ...slotsKey(id), used: Math.min(used, spec.capacity) } },
      { put: { ...hostsKey(id), "type:big": big + held, "type:small": small + held } },
      { put: { ...freeHostsKey(id), "type:big": big, "type:small": small } },
      ...types.flatMap((hostType) =>
        hostsNamed(`${id}-${hostType}`, free[hostType]).map((host) =>
          admitHost({ hub: id, hostType }, host),
        ),
      ),
    ]);
    await noteRoom(deps, id);
  }
  return ids;
}

const demandOf = (
  { sizes, slot, where }: Pick<Demand, "slot" | "where"> & { sizes: Record<string, number> },
  id: string,
): Demand => ({
  owner: { kind: "cluster", id, tenant: "tenant-a" },
  wants: Object.entries(sizes).map(([hostType, count]) => ({ set: hostType, hostType, count })),
  ...{ slot, where, queues: [] },
});

/** The rule that reads everything: every hub, best first, where all that is lacking is free now. */
async function servants(deps: TestDeps, ids: string[], demand: Demand, operation: Operation) {
  const everyone = await candidatesOf(deps, ids);
  const where = constraintsOf(demand, undefined);
  const { fitting } = chooseHub(everyone, where, deps.clock.now(), demand.slot);
  const lacking = totals(lackingHosts(demand.wants, undefined));
  const queues = [...(demand.slot ? [slotQueue] : []), ...[...lacking.keys()].map(hostQueue)];
  const others = await contended(ticketsAhead(deps.store, operation), queues, fitting);
  const able = [];
  for (const { hub } of fitting.filter(({ hub }) => !others.has(hub.id))) {
    let isAble = true;
    for (const [type, count] of lacking) {
      const entries = await poolOf(deps.store, hub.id, type);
      isAble &&= entries.filter(({ state }) => state === "free").length >= count;
    }
    if (isAble) able.push(hub);
  }
  return able;
}

const narrow: Bounds = {
  ...{ few: 5, batch: 2, pages: { likely: 2, onward: 3 } },
  ...{ likely: { pages: 2, hubs: 2 }, onward: { pages: 2, hubs: 3 } },
};

/** Pages of one entry, and no bound to come to. */
const wide: Bounds = {
  ...{ ...narrow, pages: { likely: 1, onward: 1 } },
  ...{ likely: { pages: 100, hubs: 100 }, onward: { pages: 0, hubs: 0 } },
};

/** Plans until a hub is found, or a plan has come to the end of the lists. */
async function plannedFor(deps: TestDeps, demand: Demand, operation: Operation, bounds: Bounds) {
  let walking = operation;
  for (let n = 0; n < 100; n++) {
    const planning = { operation: walking, placement: undefined, taken: new Set<string>() };
    const { found, others } = await plan(deps, demand, planning, bounds);
    if (found || !others?.walked) return found;
    walking = { ...walking, placement: { reason: "", rejected: [], walked: others.walked } };
  }
  throw new Error("the plans come to no end");
}

it("finds a hub whenever the rule that reads every hub finds one, and one kept for the tenant first", async () => {
  await fc.assert(
    fc.asyncProperty(hubs, demands, async (all, wanted) => {
      const deps = testDeps();
      const ids = await build(deps, all);
      for (const [n, { waits, ...each }] of wanted.entries()) {
        const order = await addOrder(deps, `order-${n}`, {});
        await deps.clock.advance(1);
        const operation = await mustLoad(deps, "operation", order.operation);
        const demand = demandOf(each, order.cluster);
        const able = await servants(deps, ids, demand, operation);
        const found = await plannedFor(deps, demand, operation, narrow);
        const inOne = await plannedFor(deps, demand, operation, wide);
        expect(inOne !== undefined).toBe(able.length > 0);
        const isKept = ({ spec: { tenants = [] } }: { spec: { tenants?: string[] } }) =>
          tenants.length > 0 && tenants.length <= 8;
        expect(found !== undefined).toBe(able.length > 0);
        if (found) {
          const { hub } = found.candidate;
          expect(able.map(({ id }) => id)).toContain(hub.id);
          expect(isKept(hub)).toBe(able.some(isKept));
        }
        if (!waits) continue;
        const ticket = {
          ...{ operation: order.operation, step },
          ...{ where: constraintsOf(demand, undefined), needs: needsOf(demand, undefined) },
        };
        const queues = [slotQueue, ...Object.keys(each.sizes).map(hostQueue)];
        await deps.store.transact(queues.map((name) => takeTicket(name, operation, ticket)));
      }
      deps.store.close();
    }),
    tries(40),
  );
});

/** Hubs with a small host each. */
async function fleet(count: number): Promise<TestDeps> {
  const deps = testDeps({ random: () => 0.5 });
  const now = deps.clock.now();
  const hostType = "small";
  let writes: Write[] = [];
  for (const [n, id] of hostsNamed("hub", count).entries()) {
    const hub = hubRecord(id, {}, now);
    const hosts = { ...hostsKey(id), "type:small": 1 };
    // Counted as all are: the plan reads the entries and not this.
    const free = { ...freeHostsKey(id), "type:small": 1 };
    const entries = towards([], entriesOf(hub, { slots: undefined, hosts, free })).writes;
    writes.push(
      ...putNew(kinds, hub).slice(0, 1),
      { put: { ...heartbeatKey(id), at: timestamp(now) } },
      { put: hosts },
      admitHost({ hub: id, hostType }, `${id}-host`),
      ...entries.filter((write) => "put" in write),
    );
    if (writes.length < 80 && n < count - 1) continue;
    await deps.store.transact(writes);
    writes = [];
  }
  const [total] = totalKeys("hub");
  for (const key of [hubRegionKey("eu"), ...(total ? [total] : [])])
    await deps.store.transact([{ update: key, add: { count } }]);
  return deps;
}

describe("what a plan reads", () => {
  async function counted(deps: TestDeps, sizes: Record<string, number>) {
    const order = await addOrder(deps, deps.newId(), sizes, { region: "eu" });
    const { counted: store, calls } = counting(deps.store);
    const { placed } = await reserveFor({ ...deps, store }, order);
    return { placed, ...calls };
  }

  it.each([
    [10, { query: 2, getMany: 2, read: 56 }],
    [1_000, { query: 5, getMany: 2, read: 77 }],
    [10_000, { query: 5, getMany: 2, read: 77 }],
  ])("among %i hubs does not grow with them", async (count, expected) => {
    const deps = await fleet(count);
    expect(await counted(deps, {})).toMatchObject({ placed: true, ...expected });
    // Where the hosts of a hub lie decides how many shards of the pool are asked.
    const { placed, query, getMany, read } = await counted(deps, { small: 1 });
    expect({ placed, getMany }).toEqual({ placed: true, getMany: 2 });
    expect(query - expected.query).toBeLessThanOrEqual(5);
    expect(read - expected.read).toBeLessThanOrEqual(3);
    const last = await counted(deps, { big: 1 });
    expect(last).toMatchObject({ placed: false });
    // Ten hubs are asked for their free hosts, of which there are none; once more with a ticket in line.
    expect(last.query + last.getMany).toBeLessThanOrEqual(2 * 95);
    expect(last.read).toBeLessThanOrEqual(2 * 120);
    deps.store.close();
  });
});

describe("an order that finds no room among many hubs", () => {
  it("is told what was seen, and of how many hubs nothing is known but that they do not fit", async () => {
    const deps = await fleet(12);
    const order = await addOrder(deps, "one", { big: 1 });
    expect(await reserveFor(deps, order)).toMatchObject({
      placed: false,
      waitingFor:
        "1 host of type big (10 hubs: 0 of 1 big hosts free; 2 other hubs: cannot serve it now)",
      position: undefined,
      walked: undefined,
    });
    const elsewhere = await addOrder(deps, "two", { big: 1 }, { region: "mars" });
    expect(await reserveFor(deps, elsewhere)).toMatchObject({
      waitingFor: "a hub (12 other hubs: cannot serve it now)",
    });
    deps.store.close();
  });

  it("waits for hosts of the one hub with its label, wherever that is in the lists", async () => {
    const deps = await fleet(30);
    const labels = { tier: "gold" };
    await addHub(deps, "golden", { labels });
    await addHosts(deps, "golden", "small", ["golden-host"]);
    await noteRoom(deps, "golden");
    const order = await addOrder(deps, "one", { small: 1, big: 1 }, { labels });
    expect(await reserveFor(deps, order)).toMatchObject({
      waitingFor:
        "1 host of type big (one hub: 0 of 1 big hosts free; 30 other hubs: cannot serve it now)",
    });
    deps.store.close();
  });

  it("looks on soon where it has stopped, until it has come to the end", async () => {
    const deps = await fleet(75);
    const [first, order] = [
      await addOrder(deps, "first", { small: 1, big: 1 }),
      await startOrder(deps, "one", { small: 1 }),
    ];
    const operation = await mustLoad(deps, "operation", first.operation);
    const ticket = { operation: operation.id, step, where: { tenant: "tenant-a" }, needs: {} };
    await deps.store.transact([takeTicket(hostQueue("small"), operation, ticket)]);
    const seen = [];
    for (let n = 0; n < 3; n++) {
      const attempt = await attemptAt(deps, order.operation, step);
      const cluster = await mustLoad(deps, "cluster", order.cluster);
      await reserveCapacity(wantedCapacity)(cluster, attempt as StepContext<Cluster>);
      const looked = await mustLoad(deps, "operation", order.operation);
      seen.push(capacityReserved(wantedCapacity)(cluster, { deps, operation: looked, step }));
    }
    const waits = (looked: number, rest: string) =>
      `1 host of type small (position 2 in the queue; ${looked} hubs: earlier orders wait there for hosts of type small; ${75 - looked} other hubs: ${rest})`;
    expect(seen).toEqual([
      pending(waits(60, "not checked yet"), 10_000),
      // Twenty of those with the most room again, and those behind.
      pending(waits(36, "cannot serve it now"), 300_000),
      pending(waits(60, "not checked yet"), 10_000),
    ]);
    deps.store.close();
  });
});
