import { describe, expect, it } from "vitest";
import type { SiteRecord } from "../../../../core/at-site/at-site.ts";
import { type PoolUse, poolName } from "../../../../core/at-site/site.ts";
import { timestamp } from "../../../../core/clock.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { heartbeatKey } from "../../../../core/kernel/object/hub-keys.ts";
import { ticketKey } from "../../../../core/kernel/object/keys.ts";
import { mustLoad, putNew } from "../../../../core/kernel/object/records.ts";
import { endWrites } from "../../../../core/kernel/saga/end.ts";
import type { Item } from "../../../../core/kernel/store/store.ts";
import { candidatesOf } from "../../../../core/placement/hubs/read.ts";
import { countHost } from "../../../../core/placement/pool/host-counts.ts";
import {
  contended,
  hostQueue,
  numbersQueue,
  positionInQueues,
  takeTicket,
  ticketsAhead,
} from "../../../../core/placement/queues/tickets.ts";
import { wakeQueue } from "../../../../core/placement/reserve/capacity-freed.ts";
import { takeReport } from "../../../../core/reconcile/report.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import type { HubSpec } from "../../../../core/resources/hub/model.ts";
import { clusterCreate } from "../../../../statemachines/cluster.ts";
import { sagas } from "../../../../statemachines/index.ts";
import { counting } from "../../../support/counting-store.ts";

import {
  addHosts,
  addHub,
  addOrder,
  giveAllBack,
  heldBy,
  hostRecord,
  hostsNamed,
  hubRecord,
  newHost,
  placementOf,
  reserveFor,
  slotsOf,
} from "../../../support/placement.ts";
import {
  inLine,
  setHost,
  setHub,
  setMaintenance,
  ticketsIn,
  untilQuiet,
  waitingDeps,
} from "../../../support/waiting.ts";

const minute = 60_000;

describe("the first in line for a number of a site is told", () => {
  const network = {
    ...{ number: 1, prefix: "10.64.1.0/24", gateway: "10.64.1.1", dns_servers: [] },
    range: { first: "10.64.1.10", last: "10.64.1.250" },
    ...{ api: "10.64.1.2", ingress: "10.64.1.3" },
  };
  const held: [PoolUse, Partial<SiteRecord>][] = [
    ["vlans", { vlan: 100 }],
    ["prefixes", { network }],
    ["floating_ips", { floating_ips: { api: "203.0.113.1", ingress: "203.0.113.2" } }],
  ];
  const at = (numbers: Partial<SiteRecord>) => ({ id: "site-1", parts: {}, ...numbers });
  /** A cluster at a site, and two orders that stand in line for its numbers of one use. */
  async function standing(use: PoolUse, numbers: Partial<SiteRecord>) {
    const deps = waitingDeps();
    const orders = [];
    for (const name of ["holder", "first", "second"]) {
      orders.push(await addOrder(deps, name, { small: 1 }));
      await deps.clock.advance(1);
    }
    const [holder, ...others] = orders;
    const set = (site: SiteRecord) =>
      changeObject(deps, "cluster", holder?.cluster ?? "", (cluster) => ({ ...cluster, site }));
    await set(at(numbers));
    for (const { operation: id } of others) {
      const operation = await mustLoad(deps, "operation", id);
      const ticket = { operation: id, step: "Claim", where: { tenant: "tenant-a" }, needs: {} };
      const queueName = numbersQueue(poolName("site-1", use));
      await deps.store.transact([takeTicket(queueName, operation, ticket)]);
    }
    await deps.relayed();
    return { deps, set, first: others[0]?.operation };
  }

  it.each(held)("when a cluster gives back its %s", async (use, numbers) => {
    const { deps, set, first } = await standing(use, numbers);
    await set(at({}));
    expect(await deps.relayed()).toEqual([first]);
  });

  it.each(held)("and nobody is while the cluster has its %s", async (use, numbers) => {
    const { deps, set } = await standing(use, numbers);
    await set(at({ ...numbers, domain: "one.example.com" }));
    expect(await deps.relayed()).toEqual([]);
  });
});

describe("an order that waits goes on by itself", () => {
  it("when hosts it waits for are released", async () => {
    const deps = waitingDeps();
    await addHub(deps, "hub");
    await addHosts(deps, "hub", "small", hostsNamed("s", 2));
    const [first, second] = await inLine(deps, ["first", { small: 2 }], ["second", { small: 1 }]);
    await giveAllBack(deps, first);
    await untilQuiet(deps, [second]);
    expect(await heldBy(deps, second)).toHaveLength(1);
  });

  it("when a host is discovered, leaves maintenance, or becomes one of its type", async () => {
    const deps = waitingDeps();
    await addHub(deps, "hub");
    await addHosts(deps, "hub", "big", ["b-00001"]);
    await deps.store.transact(newHost("u-00001", "hub", "small"));
    await setMaintenance(deps, "u-00001", true);
    await deps.relayed();
    const orders = await inLine(deps, ["one", { small: 1 }], ["two", { small: 1 }]);
    const [one, two] = orders;
    await setMaintenance(deps, "u-00001", false);
    await untilQuiet(deps, orders);
    expect(await heldBy(deps, one)).toEqual(["u-00001"]);
    await setHost(deps, "b-00001", { host_type: "small" });
    await untilQuiet(deps, orders);
    expect(await heldBy(deps, two)).toEqual(["b-00001"]);
  });

  it("when a hub is registered and reports", async () => {
    const deps = waitingDeps();
    const orders = await inLine(deps, ["one", { small: 1 }]);
    const since = timestamp(deps.clock.now());
    await deps.store.transact([
      ...putNew(kinds, hubRecord("hub")),
      { put: { ...heartbeatKey("hub"), since } },
    ]);
    await addHosts(deps, "hub", "small", hostsNamed("s", 1));
    await untilQuiet(deps, orders);
    await takeReport(deps, sagas, { hub: "hub", heartbeat: true, news: [] });
    expect(deps.looked).toEqual(orders.map(({ operation }) => operation));
  });

  it("when a hub that was silent reports again", async () => {
    const deps = waitingDeps();
    await addHub(deps, "hub");
    await addHosts(deps, "hub", "small", hostsNamed("s", 1));
    await deps.clock.advance(11 * minute);
    const orders = await inLine(deps, ["one", { small: 1 }]);
    deps.looked.length = 0;
    await takeReport(deps, sagas, { hub: "hub", heartbeat: true, news: [] });
    expect(deps.looked).toEqual(orders.map(({ operation }) => operation));
    deps.looked.length = 0;
    await takeReport(deps, sagas, { hub: "hub", heartbeat: true, news: [] });
    expect(deps.looked).toEqual([]);
  });

  const better: [string, Partial<HubSpec>, Partial<HubSpec>][] = [
    ["is uncordoned", { cordoned: true }, { cordoned: false }],
    ["gets more capacity", { capacity: 0 }, { capacity: 1 }],
    ["gets the label it asks for", {}, { labels: { tier: "gold" } }],
    ["is opened to its tenant", { tenants: ["tenant-b"] }, { tenants: [] }],
  ];
  it.each(better)("when a hub %s, though it waits for hosts of another", async (_, was, is) => {
    const deps = waitingDeps();
    await addHub(deps, "poor", { labels: { tier: "gold" } });
    await addHub(deps, "hub", {
      labels: { tier: "gold" },
      ...was,
      ...(is.labels ? { labels: {} } : {}),
    });
    await addHosts(deps, "hub", "small", hostsNamed("s", 1));
    const [order] = await inLine(deps, ["one", { small: 1 }, { labels: { tier: "gold" } }]);
    expect(await placementOf(deps, order)).toBeUndefined();
    await setHub(deps, "hub", is);
    await untilQuiet(deps, [order]);
    expect(await placementOf(deps, order)).toMatchObject({ hub: "hub" });
  });

  it("when a slot comes free where it has hosts, though it waits for hosts of another", async () => {
    const deps = waitingDeps();
    await addHub(deps, "full", { capacity: 1 });
    await addHosts(deps, "full", "big", hostsNamed("b", 1));
    await addHosts(deps, "full", "small", hostsNamed("s", 1));
    const [first, second] = await inLine(deps, ["first", { big: 1 }], ["second", { small: 1 }]);
    await addHub(deps, "poor");
    await reserveFor(deps, second);
    await deps.relayed();
    expect(await ticketsIn(deps, "slot")).toBe(0);
    await giveAllBack(deps, first);
    await untilQuiet(deps, [second]);
    expect(await placementOf(deps, second)).toMatchObject({ hub: "full" });
  });

  it("when a slot comes free, which is all that it waits for", async () => {
    const deps = waitingDeps();
    await addHub(deps, "hub", { capacity: 1 });
    await addHosts(deps, "hub", "small", hostsNamed("s", 2));
    const [first, second] = await inLine(deps, ["first", { small: 1 }], ["second", { small: 1 }]);
    expect(await ticketsIn(deps, "slot")).toBe(1);
    await giveAllBack(deps, first);
    await untilQuiet(deps, [second]);
    expect(await placementOf(deps, second)).toMatchObject({ hub: "hub" });
    expect(await slotsOf(deps.store, "hub")).toBe(1);
  });

  it("when a slot comes free, though fifty who cannot use it stand in line for any hub", async () => {
    const deps = waitingDeps();
    await addHub(deps, "hub", { capacity: 1 });
    await addHosts(deps, "hub", "small", hostsNamed("s", 2));
    const big = hostsNamed("big", 50);
    const [first] = await inLine(deps, ["first", { small: 1 }]);
    await inLine(deps, ...big.map((name): [string, Record<string, number>] => [name, { big: 1 }]));
    const [last] = await inLine(deps, ["last", { small: 1 }]);
    await giveAllBack(deps, first);
    expect(await deps.relayed()).toContain(last.operation);
  });

  it.each([
    ["fewer than there are now", 1, false],
    ["just as many", 2, true],
    ["more", 3, true],
  ])(
    "to say so, when a host comes that cannot be taken yet, if it needs %s",
    async (_, size, told) => {
      const deps = waitingDeps();
      await addHub(deps, "hub");
      await addHosts(deps, "hub", "small", ["s-00000"]);
      await inLine(deps, ["first", { small: 1 }]);
      const [order] = await inLine(deps, ["one", { small: size }]);
      const host = hostRecord("s-00001", "hub", "small");
      const maintenance = { since: "2026-01-01T00:00:00.000Z", by: "root" };
      await deps.store.transact([
        ...putNew(kinds, { ...host, maintenance }),
        ...countHost(undefined, { hub: "hub", hostType: "small" }),
      ]);
      expect(await deps.relayed()).toEqual(told ? [order.operation] : []);
    },
  );

  it("when the one before it gives up", async () => {
    const deps = waitingDeps();
    await addHub(deps, "hub");
    await addHosts(deps, "hub", "small", hostsNamed("s", 2));
    const [, large, little] = await inLine(
      deps,
      ["first", { small: 1 }],
      ["large", { small: 2 }],
      ["little", { small: 1 }],
    );
    expect(await heldBy(deps, little)).toEqual([]);
    const operation = await mustLoad(deps, "operation", large.operation);
    const failure = { step: "", kind: "Internal", message: "its execution has ended" };
    await deps.store.transact(await endWrites(deps, clusterCreate, operation, operation, failure));
    await untilQuiet(deps, [little]);
    expect(await heldBy(deps, little)).toHaveLength(1);
    expect(await ticketsIn(deps, "host:small")).toBe(0);
    expect(await ticketsIn(deps, "hub")).toBe(0);
  });
});

it("a ticket that is dropped wakes the first of each wish that may meet its own, and reads no hub", async () => {
  const deps = waitingDeps();
  const ticket = (operation: string, where: object, needs: object): Item => ({
    ...ticketKey("host:small", operation, operation),
    ticket: { operation, step: "", where: { tenant: "tenant-a", ...where }, needs: { ...needs } },
  });
  const tickets = [
    ...["a1", "a2", "a3", "a4"].map((id) => ticket(id, {}, { small: 1 })),
    ticket("b-large", {}, { small: 9 }),
    ticket("c-here", { region: "eu" }, { small: 1 }),
    ticket("d-elsewhere", { region: "us" }, { small: 1 }),
  ];
  await deps.store.transact(tickets.map((put) => ({ put })));
  const before = ticket("a0", { region: "eu" }, {});
  const { counted: store, calls } = counting(deps.store);
  await wakeQueue({ ...deps, store }, { sequence: "1", key: before, before });
  expect(deps.looked).toEqual(["a1", "a2", "a3", "b-large", "c-here"]);
  expect(calls).toMatchObject({ get: 0, getMany: 0, query: 1 });
});

it("a plan reads the tickets before its own once, for each hub that it judges and for its place", async () => {
  const deps = waitingDeps();
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", hostsNamed("s", 1));
  const orders = await inLine(
    deps,
    ...Array.from({ length: 30 }, (_, n): [string, Record<string, number>] => [
      `${n}`,
      { small: 1 },
    ]),
  );
  const last = await mustLoad(deps, "operation", orders.at(-1)?.operation ?? "");
  const { counted, calls } = counting(deps.store);
  const ahead = ticketsAhead(counted, last);
  const hubs = await candidatesOf(deps, ["hub"]);
  const queueName = hostQueue("small");
  expect(await contended(ahead, [queueName], hubs)).toEqual(new Map([["hub", queueName]]));
  // The first has its host; the others wait for it.
  expect(await positionInQueues(ahead, [queueName], hubs)).toBe(29);
  expect(await positionInQueues(ahead, [queueName], hubs)).toBe(29);
  expect(calls.query).toBe(1);
});
