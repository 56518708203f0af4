import { expect, it } from "vitest";
import type { Settings } from "../../simulate/arguments.ts";
import { sum } from "../../simulate/counts.ts";
import { reportOf } from "../../simulate/report.ts";
import { simulate } from "../../simulate/simulation.ts";
import { seed } from "../support/seed.ts";

/** A small simulation, in a smaller world than that of `npm run simulate`; another with another `SEED`. */

const size = { sites: 2, hubsAtSite: 1, hostsAtHub: { fc430: 4, h100: 1 } };
const settings = { seed, faults: 0.1, hours: 0.2 };

it.each([
  { orders: 3, mix: "orders" },
  // An order of sizes is changed more often.
  { orders: 2, mix: "sizes" },
] as const)("$mix and changes with faults: nothing is lost, nothing is left", async (mixed) => {
  const outcome = await simulate({ ...settings, ...mixed }, { size });
  console.log(`SEED=${seed}: ${reportOf(outcome)}`);
  const { lost, leaked, late, broken, unexpected } = outcome;
  expect({ lost, leaked, late, broken, unexpected }).toEqual({
    ...{ lost: [], leaked: [], late: [], broken: [], unexpected: {} },
  });
  expect(sum(outcome.ended)).toBeGreaterThanOrEqual(mixed.orders);
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
