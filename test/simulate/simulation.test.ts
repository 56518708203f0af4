import { expect, it } from "vitest";
import type { Settings } from "../../simulate/arguments.ts";
import { sum } from "../../simulate/counts.ts";
import { reportOf } from "../../simulate/report.ts";
import { simulate } from "../../simulate/simulation.ts";

/**
 * A small simulation, another with each commit. Its world is smaller than that of `npm run simulate`, so
 * it has a command of its own to run it again, which it prints.
 */

const { MATRIX = "0" } = process.env;
const seed = Number.parseInt(MATRIX, 16) || 0;
const size = { sites: 2, hubsAtSite: 1, hostsAtHub: { fc430: 4, h100: 1 } };
/** One mix or the other; an order of sizes is changed more often. */
const mixed =
  seed % 2 === 0 ? ({ orders: 3, mix: "orders" } as const) : ({ orders: 2, mix: "sizes" } as const);
const settings: Settings = { seed, faults: 0.1, hours: 0.2, ...mixed };

it(`orders and changes with faults: nothing is lost, nothing is left (seed ${seed})`, async () => {
  const outcome = await simulate(settings, { size });
  const again = `the same again: MATRIX=${MATRIX} npx vitest run test/simulate/simulation.test.ts`;
  console.log(`${reportOf(outcome)}\n${again}`);
  const { lost, leaked, late, broken, unexpected } = outcome;
  expect({ lost, leaked, late, broken, unexpected }).toEqual({
    ...{ lost: [], leaked: [], late: [], broken: [], unexpected: {} },
  });
  expect(sum(outcome.ended)).toBeGreaterThanOrEqual(settings.orders);
  expect(sum(outcome.faults)).toBeGreaterThan(30);
});

it("the same again from the same seed, also of a longer one that is interrupted", async () => {
  const short: Settings = { ...settings, orders: 1, hours: 0.1, mix: "orders" };
  const first = await simulate(short, { size });
  let asked = 0;
  const afterFirst = {
    get aborted() {
      return asked++ > 0;
    },
  };
  const second = await simulate({ ...short, orders: 9, hours: 0.9 }, { size, signal: afterFirst });
  expect({ ...second, cpuSeconds: 0 }).toEqual({ ...first, cpuSeconds: 0 });
  expect(sum(first.faults)).toBeGreaterThan(0);
});
