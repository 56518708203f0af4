import * as fc from "fast-check";
import { expect, it } from "vitest";
import { dropTicket } from "../../../../core/kernel/claim/ticket.ts";
import { hostsKey } from "../../../../core/kernel/object/hub-keys.ts";
import { load, mustLoad } from "../../../../core/kernel/object/records.ts";
import { openSqliteStore } from "../../../../core/kernel/store/sqlite/sqlite.ts";
import { clusterQueues } from "../../../../core/resources/cluster/queues.ts";
import {
  addHosts,
  addHub,
  addOrder,
  giveAllBack,
  heldBy,
  hostsNamed,
  newHost,
  type Order,
  placementOf,
  poolOf,
  reserveFor,
  slotsOf,
} from "../../../support/placement.ts";
import { tries } from "../../../support/seed.ts";
import {
  removeHost,
  setHub,
  setMaintenance,
  untilQuiet,
  type Waiting,
  waitingDeps,
} from "../../../support/waiting.ts";

/**
 * Whatever happens: no host is lost or held twice, and nobody waits who could go on. The second
 * means that no wake-up was missed: those who wait try again, and none of them gets anything.
 */

const hubs = ["east", "west"];
const types = ["big", "small"];
const perType = 4;

const event = fc.oneof(
  fc.record({
    kind: fc.constant("order" as const),
    sizes: fc.record({ big: fc.nat(3), small: fc.nat(4) }),
    region: fc.constantFrom("east", "west", undefined),
  }),
  fc.record({ kind: fc.constantFrom("release" as const, "leave" as const), nth: fc.nat(9) }),
  fc.record({
    kind: fc.constant("hub" as const),
    hub: fc.constantFrom(...hubs),
    spec: fc.record({ cordoned: fc.boolean(), capacity: fc.integer({ min: 0, max: 4 }) }),
  }),
  fc.record({
    kind: fc.constant("host" as const),
    host: fc.constantFrom(...hubs.flatMap((hub) => types.map((type) => `${hub}-${type}-00001`))),
    isInMaintenance: fc.boolean(),
  }),
  fc.record({
    kind: fc.constantFrom("comes" as const, "goes" as const),
    hub: fc.constantFrom(...hubs),
    type: fc.constantFrom(...types),
  }),
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

async function happens(deps: Waiting, orders: Order[], what: Event): Promise<void> {
  await deps.clock.advance(1);
  if (what.kind === "order") {
    const sizes = Object.entries(what.sizes).filter(([, size]) => size > 0);
    const wish = what.region === undefined ? {} : { region: what.region };
    const order = await addOrder(deps, `c${deps.clock.now()}`, Object.fromEntries(sizes), wish);
    orders.push(order);
    await reserveFor(deps, order);
  }
  if (what.kind === "hub") await setHub(deps, what.hub, what.spec);
  const known = what.kind === "host" && (await load(deps, "host", what.host));
  if (what.kind === "host" && known) await setMaintenance(deps, what.host, what.isInMaintenance);
  if (what.kind === "comes")
    await deps.store.transact(newHost(`${what.hub}-${deps.clock.now()}`, what.hub, what.type));
  if (what.kind === "goes") {
    const entries = await poolOf(deps.store, what.hub, what.type);
    const free = entries.find(({ state }) => state !== "held");
    if (free) await removeHost(deps, free.sk);
  }
  if (what.kind === "release" || what.kind === "leave") {
    const [order] = orders.splice(what.nth, 1);
    if (!order) return;
    await giveAllBack(deps, order);
    const operation = await mustLoad(deps, "operation", order.operation);
    const cluster = await mustLoad(deps, "cluster", order.cluster);
    await deps.store.transact(clusterQueues(cluster).map((name) => dropTicket(name, operation)));
  }
}

async function booksAreRight(deps: Waiting, orders: Order[]): Promise<void> {
  const owners = new Map<string, string>();
  for (const order of orders)
    for (const host of await heldBy(deps, order)) {
      expect(owners.has(host)).toBe(false);
      owners.set(host, order.cluster);
    }
  for (const hub of hubs) {
    const placements = await Promise.all(orders.map((order) => placementOf(deps, order)));
    const here = placements.filter((placement) => placement?.hub === hub);
    expect(await slotsOf(deps.store, hub)).toBe(here.length);
    for (const type of types) {
      const entries = await poolOf(deps.store, hub, type);
      const counted = await deps.store.get(hostsKey(hub));
      expect(counted).toMatchObject({ [`type:${type}`]: entries.length });
      for (const { sk, owner } of entries) expect(owner).toBe(owners.get(sk));
    }
  }
}

it.each([
  [0, 0, 30],
  [20, 0, 30],
  [20, 11, 10],
])(
  "no host is lost, and nobody waits who could go on (index %i writes behind, %i other hubs)",
  async (indexLag, others, runs) => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 10, maxLength: 30 }), async (events) => {
        const deps = waitingDeps({ store: openSqliteStore(":memory:", { indexLag }) });
        for (const hub of hubs) {
          await addHub(deps, hub, { region: hub, capacity: 4 });
          for (const type of types)
            await addHosts(deps, hub, type, hostsNamed(`${hub}-${type}`, perType));
        }
        for (const hub of hostsNamed("other", others)) await addHub(deps, hub, { cordoned: true });
        deps.store.catchUp();
        await deps.relayed();
        const orders: Order[] = [];
        for (const what of events) {
          await happens(deps, orders, what);
          await untilQuiet(deps, orders);
          await booksAreRight(deps, orders);
          for (const order of orders) {
            if (await placementOf(deps, order)) continue;
            expect(await reserveFor(deps, order)).toMatchObject({ placed: false });
          }
        }
        deps.store.close();
      }),
      tries(runs),
    );
  },
);
