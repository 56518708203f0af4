import { describe, expect, it } from "vitest";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { hostsKey } from "../../../../core/kernel/object/hub-keys.ts";
import {
  addHosts,
  addHub,
  heldBy,
  hostsNamed,
  newHost,
  nodeSetsOf,
  placementOf,
  reserveFor,
} from "../../../support/placement.ts";
import {
  inLine,
  removeHost,
  setHost,
  untilQuiet,
  type Waiting,
  waitingDeps,
} from "../../../support/waiting.ts";

/** Orders for more hosts than any hub has at all: they delay nobody, and keep their place. */

/** Two hubs with three small hosts each. */
async function twoHubs(): Promise<Waiting> {
  const deps = waitingDeps();
  for (const hub of ["one", "two"]) {
    await addHub(deps, hub, { region: hub });
    await addHosts(deps, hub, "small", hostsNamed(`${hub}-s`, 3));
  }
  return deps;
}

const inOne = { region: "one" };

describe("an order that no hub can ever serve", () => {
  it("says so, stands in no line, and delays no other tenant", async () => {
    const deps = await twoHubs();
    const [impossible, other] = await inLine(
      deps,
      ["impossible", { small: 50 }],
      ["other", { small: 3 }, { tenant: "tenant-b" }],
    );
    expect(await heldBy(deps, other)).toHaveLength(3);
    const waits = await reserveFor(deps, impossible);
    expect(waits).toMatchObject({
      placed: false,
      position: undefined,
      waitingFor: expect.stringMatching(
        /^50 hosts of type small \(no hub has more than 3 hosts of type small; one hub: /,
      ),
    });
  });

  it("of two types delays nobody who wants either", async () => {
    const deps = await twoHubs();
    await addHosts(deps, "one", "big", ["b-1"]);
    const [, , small, big] = await inLine(
      deps,
      ["first", { small: 2 }, inOne],
      ["impossible", { small: 3, big: 2 }, inOne],
      ["small", { small: 1 }, inOne],
      ["big", { big: 1 }, inOne],
    );
    expect(await heldBy(deps, small)).toHaveLength(1);
    expect(await heldBy(deps, big)).toHaveLength(1);
  });

  it("because it needs two types that no one hub has delays nobody", async () => {
    const deps = await twoHubs();
    await addHub(deps, "three");
    await addHosts(deps, "three", "big", ["b-1"]);
    const [impossible, other] = await inLine(
      deps,
      ["impossible", { small: 1, big: 1 }],
      ["other", { big: 1 }],
    );
    expect(await heldBy(deps, other)).toEqual(["b-1"]);
    expect(await reserveFor(deps, impossible)).toMatchObject({
      waitingFor: expect.stringContaining("no hub has enough hosts of every type"),
    });
  });

  it("delays nobody who waits for a control-plane slot", async () => {
    const deps = waitingDeps();
    await addHub(deps, "hub", { capacity: 0 });
    await addHosts(deps, "hub", "small", hostsNamed("s", 3));
    const orders = await inLine(deps, ["impossible", { small: 4 }], ["other", { small: 3 }]);
    await changeObject(deps, "hub", "hub", (hub) => ({
      ...hub,
      generation: hub.generation + 1,
      spec: { ...hub.spec, capacity: 1 },
    }));
    await untilQuiet(deps, orders);
    expect(await heldBy(deps, orders[1])).toHaveLength(3);
  });

  it("to grow beyond its hub delays nobody there", async () => {
    const deps = await twoHubs();
    const [grown] = await inLine(deps, ["grown", { small: 1 }, inOne]);
    await changeObject(deps, "cluster", grown.cluster, (cluster) => ({
      ...cluster,
      applied: nodeSetsOf({ small: 1 }),
      spec: {
        ...cluster.spec,
        node_sets: nodeSetsOf({ small: 4 }),
      },
    }));
    expect(await reserveFor(deps, grown)).toMatchObject({
      waitingFor: expect.stringContaining("its hub has 3 hosts of type small in all"),
    });
    const [other] = await inLine(deps, ["other", { small: 2 }, inOne]);
    expect(await placementOf(deps, other)).toMatchObject({ hub: "one" });
  });

  it("is told of every host that is added, and served in its place when there are enough", async () => {
    const deps = await twoHubs();
    const orders = await inLine(
      deps,
      ["large", { small: 5 }, inOne],
      ["little", { small: 1 }, inOne],
    );
    const [large, little] = orders;
    expect(await heldBy(deps, little)).toHaveLength(1);

    await deps.store.transact(newHost("new-00001", "one", "small"));
    expect(await deps.relayed()).toContain(large.operation);
    expect(await reserveFor(deps, large)).toMatchObject({
      waitingFor: expect.stringContaining("no hub that it may use has more than 4 hosts"),
    });
    for (const host of ["new-00002", "new-00003"])
      await deps.store.transact(newHost(host, "one", "small"));
    await untilQuiet(deps, orders);
    expect(await heldBy(deps, large)).toHaveLength(5);
  });

  it("holds its place against those who came later, once hosts are added", async () => {
    const deps = await twoHubs();
    const [, large] = await inLine(
      deps,
      ["first", { small: 3 }, inOne],
      ["large", { small: 4 }, inOne],
    );
    await deps.store.transact(newHost("new-00001", "one", "small"));
    await deps.relayed();
    await reserveFor(deps, large);
    const [late] = await inLine(deps, ["late", { small: 1 }, inOne]);
    expect(await heldBy(deps, late)).toEqual([]);
  });

  it("that became one when a host left lets those behind it pass", async () => {
    for (const leave of [
      (deps: Waiting) => removeHost(deps, "b-2"),
      (deps: Waiting) => setHost(deps, "b-2", { host_type: "huge" }),
      (deps: Waiting) => setHost(deps, "b-2", { hub: "two" }),
    ]) {
      const deps = await twoHubs();
      await addHosts(deps, "one", "big", ["b-1", "b-2"]);
      const orders = await inLine(
        deps,
        ["first", { small: 2 }, inOne],
        ["large", { small: 2, big: 2 }, inOne],
        ["behind", { small: 1 }, inOne],
      );
      expect(await heldBy(deps, orders[2])).toEqual([]);
      await leave(deps);
      await untilQuiet(deps, orders);
      expect(await heldBy(deps, orders[2])).toHaveLength(1);
    }
  });
});

describe("a place in line", () => {
  it("counts those before it who could use the same hub", async () => {
    const deps = await twoHubs();
    const orders = await inLine(
      deps,
      ["first", { small: 3 }, inOne],
      ["elsewhere", { small: 3 }, { region: "two" }],
      ["second", { small: 2 }, inOne],
      ["impossible", { small: 9 }, inOne],
      ["waits elsewhere", { small: 1 }, { region: "two" }],
      ["third", { small: 1 }, inOne],
    );
    const [, , second, , , third] = orders;
    expect(await reserveFor(deps, second)).toMatchObject({ position: 1 });
    expect(await reserveFor(deps, third)).toMatchObject({
      position: 2,
      waitingFor:
        "1 host of type small (position 2 in the queue; one hub: is in region two; one hub: earlier orders wait there for hosts of type small)",
    });
  });

  it("is not counted beyond a hundred", async () => {
    const deps = waitingDeps();
    await addHub(deps, "hub", { capacity: 1000 });
    await addHosts(deps, "hub", "small", ["s-1"]);
    const all = hostsNamed("order", 104);
    const orders = await inLine(
      deps,
      ...all.map((name): [string, Record<string, number>] => [name, { small: 1 }]),
    );
    const at = async (n: number) => orders[n] && (await reserveFor(deps, orders[n]));
    expect(await at(100)).toMatchObject({ position: 100 });
    expect(await at(103)).toMatchObject({
      position: 101,
      waitingFor: expect.stringContaining("more than 100 orders are ahead of it"),
    });
  });
});

it("a hub counts its hosts, whoever holds them and wherever they go", async () => {
  const deps = await twoHubs();
  const counts = async (hub: string) => await deps.store.get(hostsKey(hub));
  await inLine(deps, ["one", { small: 2 }, inOne]);
  expect(await counts("one")).toMatchObject({ "type:small": 3 });
  await setHost(deps, "two-s-00000", { host_type: "big" });
  await setHost(deps, "two-s-00001", { hub: "one" });
  await removeHost(deps, "two-s-00002");
  expect(await counts("one")).toMatchObject({ "type:small": 4 });
  expect(await counts("two")).toMatchObject({ "type:small": 0, "type:big": 1 });
});
