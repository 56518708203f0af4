import { expect, it } from "vitest";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import {
  addHosts,
  addHub,
  addOrder,
  heldBy,
  hostsNamed,
  newHost,
  nodeSetsOf,
  placementOf,
  reserveFor,
} from "../../../support/placement.ts";
import { inLine, untilQuiet, waitingDeps } from "../../../support/waiting.ts";

/** Who stands behind whom. */

it("a newcomer does not take what an earlier one waits for", async () => {
  const deps = waitingDeps();
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", hostsNamed("s", 4));
  const [, , newcomer] = await inLine(
    deps,
    ["first", { small: 1 }],
    ["large", { small: 4 }],
    ["newcomer", { small: 1 }],
  );
  expect(await reserveFor(deps, newcomer)).toMatchObject({
    placed: false,
    waitingFor:
      "1 host of type small (position 2 in the queue; one hub: earlier orders wait there for hosts of type small)",
    position: 2,
  });
});

it("an order for other hosts, or another region, passes", async () => {
  const deps = waitingDeps();
  await addHub(deps, "east", { region: "east" });
  await addHub(deps, "west", { region: "west" });
  for (const hub of ["east", "west"]) {
    await addHosts(deps, hub, "small", hostsNamed(`${hub}-s`, 1));
    await addHosts(deps, hub, "big", hostsNamed(`${hub}-b`, 1));
  }
  const [, other, west] = await inLine(
    deps,
    ["first", { small: 2 }, { region: "east" }],
    ["other", { big: 1 }, { region: "east" }],
    ["west", { small: 1 }, { region: "west" }],
  );
  expect(await heldBy(deps, other)).toHaveLength(1);
  expect(await heldBy(deps, west)).toHaveLength(1);
});

it("a cluster that waits to grow keeps nobody from another hub", async () => {
  const deps = waitingDeps();
  await addHub(deps, "one");
  await addHosts(deps, "one", "small", hostsNamed("s", 1));
  const [grown] = await inLine(deps, ["grown", { small: 1 }]);
  await changeObject(deps, "cluster", grown.cluster, (cluster) => ({
    ...cluster,
    applied: nodeSetsOf({ small: 1 }),
    spec: {
      ...cluster.spec,
      node_sets: nodeSetsOf({ small: 5 }),
    },
  }));
  expect(await reserveFor(deps, grown)).toMatchObject({ placed: false });
  expect(await heldBy(deps, grown)).toHaveLength(1);
  await addHub(deps, "two");
  await addHosts(deps, "two", "small", hostsNamed("t", 1));
  const [newcomer] = await inLine(deps, ["newcomer", { small: 1 }]);
  expect(await placementOf(deps, newcomer)).toMatchObject({ hub: "two" });
});

it("what it does not lack any more is nobody's to wait for", async () => {
  const deps = waitingDeps();
  await addHub(deps, "hub");
  const [both, small] = await inLine(deps, ["both", { small: 1, big: 1 }], ["small", { small: 1 }]);
  await addHosts(deps, "hub", "small", hostsNamed("s", 2));
  await reserveFor(deps, both);
  await untilQuiet(deps, [both, small]);
  expect(await heldBy(deps, small)).toHaveLength(1);
  expect(await heldBy(deps, both)).toEqual([]);
});

it("sixty who wait for one region neither hide nor delay those of another", async () => {
  const deps = waitingDeps();
  await addHub(deps, "east", { region: "east" });
  await addHub(deps, "west", { region: "west" });
  const east = hostsNamed("east", 60);
  await inLine(
    deps,
    ...east.map((name): [string, Record<string, number>, { region: string }] => [
      name,
      { small: 1 },
      { region: "east" },
    ]),
  );
  const [west, behind] = await inLine(
    deps,
    ["west", { small: 2 }, { region: "west" }],
    ["behind", { small: 1 }, { region: "west" }],
  );
  await addHosts(deps, "west", "small", hostsNamed("w", 1));
  await deps.store.transact(newHost("w-00001", "west", "small"));
  expect(await reserveFor(deps, behind)).toMatchObject({ placed: false });
  await untilQuiet(deps, [west, behind]);
  expect(await heldBy(deps, west)).toHaveLength(2);
});

it("orders of the same millisecond are served in the order in which they came", async () => {
  const deps = waitingDeps();
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", ["s-1"]);
  const orders = [];
  for (const name of hostsNamed("order", 20)) orders.push(await addOrder(deps, name, { small: 1 }));
  for (const order of orders) await reserveFor(deps, order);
  for (const [n, order] of orders.slice(1).entries())
    expect(await reserveFor(deps, order)).toMatchObject({ position: n + 1 });
});
