import { expect, it } from "vitest";
import { mixes } from "../../simulate/arguments.ts";
import { planOf } from "../../simulate/plan.ts";

const plan = { seed: 7, orders: 60, hours: 6, faults: 0.1, mix: "orders" } as const;

it("is the same for the same seed, and another for another", () => {
  expect(planOf(plan, true)).toEqual(planOf(plan, true));
  expect(planOf({ ...plan, seed: 8 }, true)).not.toEqual(planOf(plan, true));
});

it.each(mixes)("the first orders of a long plan are a short plan (%s)", (mix) => {
  const first = planOf({ ...plan, mix }, true).filter(({ order }) => order < 15);
  expect(planOf({ ...plan, mix, orders: 15, hours: 1.5 }, true)).toEqual(first);
});

it("every order arrives in the hours, and what becomes of it comes later, in order", () => {
  const arrivals = planOf(plan, true);
  const orders = arrivals.filter(({ what }) => what === "order" || what === "server");
  expect(orders.map(({ order }) => order)).toEqual(Array.from({ length: 60 }, (_, n) => n));
  expect(orders.every(({ at }) => at < 6 * 3_600_000)).toBe(true);
  for (const { at, order } of orders)
    expect(arrivals.every((other) => other.order !== order || other.at >= at)).toBe(true);
  expect(arrivals.map(({ at }) => at)).toEqual(arrivals.map(({ at }) => at).sort((a, b) => a - b));
});

it("beside one order in five a host goes into maintenance, and comes back", () => {
  const arrivals = planOf({ ...plan, orders: 500, hours: 50 }, true);
  const of = (change: string) =>
    arrivals.filter((each) => each.what === "host" && each.change === change);
  const [taken, released] = [of("maintain"), of("release")];
  expect(taken.length).toBeGreaterThan(75);
  expect(taken.length).toBeLessThan(125);
  const back = new Map(released.map(({ order, at }) => [order, at]));
  expect(back.size).toBe(taken.length);
  for (const { order, at } of taken) expect(back.get(order)).toBeGreaterThan(at);
});

it("every order is deleted in the end, and orders bring trouble five times as often as calls go wrong", () => {
  const arrivals = planOf({ ...plan, orders: 500, hours: 50 }, true);
  const ends = ["delete", "release with an issue", "remove by force"];
  const deletions = arrivals.filter(
    (each) =>
      (each.what === "change" || each.what === "server change") && ends.includes(each.change),
  );
  expect(deletions).toHaveLength(500);
  const troubles = arrivals.filter(({ what }) => what === "trouble");
  expect(troubles.length).toBeGreaterThan(210);
  expect(troubles.length).toBeLessThan(290);
  expect(planOf({ ...plan, faults: 0 }, true).filter(({ what }) => what === "trouble")).toEqual([]);
});

it("one order in eight is of a server, in a world that has some, and beside one life in four hosts are reserved", () => {
  const long = { ...plan, orders: 500, hours: 50 };
  const count = (arrivals: ReturnType<typeof planOf>, what: string) =>
    arrivals.filter((each) => each.what === what).length;
  const servers = count(planOf(long, true), "server");
  expect(servers).toBeGreaterThan(40);
  expect(servers).toBeLessThan(85);
  expect(count(planOf(long, false), "server")).toBe(0);
  const lives = planOf({ ...long, bareMetal: { deadDpus: 0 } }, true);
  expect(count(lives, "server")).toBe(500);
  expect(count(lives, "allocation")).toBeGreaterThan(95);
  expect(count(lives, "allocation")).toBeLessThan(155);
});
