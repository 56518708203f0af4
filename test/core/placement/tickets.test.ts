import { describe, expect, it } from "vitest";
import { ticketPartition } from "../../../core/kernel/object/keys.ts";
import { mustLoad, putNew } from "../../../core/kernel/object/records.ts";
import { endWrites } from "../../../core/kernel/saga/end.ts";
import { takeReport } from "../../../core/reconcile/report.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import type { HubSpec } from "../../../core/resources/hub/model.ts";
import { clusterCreate } from "../../../statemachines/cluster-create.ts";
import { sagas } from "../../../statemachines/index.ts";
import { everyPage } from "../../support/pages.ts";
import {
  addHosts,
  addHub,
  giveAllBack,
  heldBy,
  hostsNamed,
  hubRecord,
  newHost,
  placementOf,
  reserveFor,
} from "../../support/placement.ts";
import {
  inLine,
  setHost,
  setHub,
  ticketsIn,
  untilQuiet,
  waitingDeps,
} from "../../support/waiting.ts";

const minute = 60_000;

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
    await setHost(deps, "u-00001", { unschedulable: true });
    await deps.relayed();
    const orders = await inLine(deps, ["one", { small: 1 }], ["two", { small: 1 }]);
    const [one, two] = orders;
    await setHost(deps, "u-00001", { unschedulable: false });
    await untilQuiet(deps, orders);
    expect(await heldBy(deps, one)).toEqual(["u-00001"]);
    await setHost(deps, "b-00001", { host_type: "small" });
    await untilQuiet(deps, orders);
    expect(await heldBy(deps, two)).toEqual(["b-00001"]);
  });

  it("when a hub is registered and reports", async () => {
    const deps = waitingDeps();
    const orders = await inLine(deps, ["one", { small: 1 }]);
    await deps.store.transact(putNew(kinds, hubRecord("hub")));
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
    expect(await ticketsIn(deps, "slot")).toBe(0);
    await giveAllBack(deps, first);
    await untilQuiet(deps, [second]);
    expect(await placementOf(deps, second)).toMatchObject({ hub: "full" });
  });

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

it("a ticket is stored in the form that it always had", async () => {
  const deps = waitingDeps();
  await addHub(deps, "hub");
  const [{ operation }] = await inLine(deps, ["one", { small: 1 }, { region: "eu" }]);
  const [item] = await everyPage(deps.store, { pk: ticketPartition("host:small") });
  expect(item?.ticket).toEqual({
    operation,
    step: "ReserveCapacity",
    wish: { tenant: "tenant-a", region: "eu" },
    needs: { small: 1 },
  });
});
