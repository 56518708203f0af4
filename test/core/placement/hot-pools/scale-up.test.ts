import { expect, it } from "vitest";
import { freeHostsKey } from "../../../../core/kernel/object/hub-keys.ts";
import { bestScaleUpHub } from "../../../../core/placement/hot-pools/scale-up.ts";
import type { Ticket, TicketsAhead } from "../../../../core/placement/queues/tickets.ts";
import { testDeps } from "../../../support/deps.ts";

/** An order that lacks three hosts of one type, with two hubs of which `a` is the better one. */

type Counters = Record<string, number>;
const idle = (count: number): Counters => ({ "idle:metal": count });
const raises = (hub: string, count: number) => ({ raises: { hub, hosts: { metal: count } } });

it.each<[string, { a: Counters; b: Counters; before?: object[]; asked?: string }, string]>([
  ["the better one, where both have enough", { a: idle(3), b: idle(9) }, "a"],
  ["the one that has enough", { a: idle(2), b: idle(3) }, "b"],
  ["what is free and on its way counts", { a: { "type:metal": 1, "coming:metal": 2 }, b: {} }, "a"],
  ["the one that was asked", { a: idle(3), b: idle(3), asked: "b" }, "b"],
  ["another one than was asked, which has more", { a: idle(3), b: idle(2), asked: "b" }, "a"],
  ["beside those before it", { a: idle(5), b: idle(3), before: [raises("a", 3)] }, "b"],
  ["the one that was asked, where none has any", { a: {}, b: {}, asked: "b" }, "b"],
])("asks %s", async (_, { a, b, before = [], asked }, expected) => {
  const deps = testDeps();
  await deps.store.transact([
    { put: { ...freeHostsKey("a"), ...a } },
    { put: { ...freeHostsKey("b"), ...b } },
  ]);
  const ahead: TicketsAhead = async function* () {
    for (const ticket of before) yield ticket as Ticket;
  };
  const lacking = new Map([["metal", 3]]);
  expect(await bestScaleUpHub(deps, ["a", "b"], { lacking, ahead, asked })).toBe(expected);
});

it("reads nothing where there is no choice", async () => {
  const waiting = { lacking: new Map([["metal", 3]]), asked: undefined };
  const ahead: TicketsAhead = () => {
    throw new Error("the queue was read");
  };
  expect(await bestScaleUpHub(testDeps(), ["a"], { ...waiting, ahead })).toBe("a");
  expect(await bestScaleUpHub(testDeps(), [], { ...waiting, ahead })).toBeUndefined();
});
