import { expect, it } from "vitest";
import { shortestFailing } from "../../simulate/prefix.ts";

it.each([
  [1, 1],
  [1, 100],
  [37, 100],
  [100, 100],
])("finds that %i orders fail, where %i are known to", async (least, known) => {
  const tried: number[] = [];
  const fails = async (orders: number) => {
    tried.push(orders);
    return orders >= least;
  };
  expect(await shortestFailing(fails, known)).toBe(least);
  expect(tried.length).toBeLessThan(8);
});

it("where failing comes and goes, one fewer does not fail", async () => {
  const failing = new Set([20, 40, 41, 50]);
  const found = await shortestFailing(async (orders) => failing.has(orders), 50);
  expect(failing.has(found)).toBe(true);
  expect(failing.has(found - 1)).toBe(false);
});
