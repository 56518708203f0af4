import { expect, it } from "vitest";
import type { Settings } from "../../../simulate/arguments.ts";
import { reportOf } from "../../../simulate/report.ts";
import { simulate } from "../../../simulate/simulation.ts";

/** A small simulation of servers that tenants order whole, another with each commit. */

const { MATRIX = "0" } = process.env;
const seed = Number.parseInt(MATRIX, 16) || 0;
const size = { sites: 1, hubsAtSite: 1, hostsAtHub: {}, servers: { plain: 2, withDpus: 2 } };

it(`servers of tenants come and go with faults: all are isolated and erased (seed ${seed})`, async () => {
  const deadDpus = seed % 2 === 0 ? 0 : 0.25;
  const settings: Settings = {
    ...{ seed, orders: 5, hours: 1, faults: 0.05, mix: "orders", bareMetal: { deadDpus } },
  };
  const outcome = await simulate(settings, { size });
  const again = `the same again: MATRIX=${MATRIX} npx vitest run test/simulate/servers/lives.test.ts`;
  console.log(`${reportOf(outcome)}\n${again}`);
  const { lost, leaked, late, broken, unexpected, servers } = outcome;
  expect({ lost, leaked, late, broken, unexpected }).toEqual({
    ...{ lost: [], leaked: [], late: [], broken: [], unexpected: {} },
  });
  expect(servers).toMatchObject({ lives: 5, unwiped: [], crossed: [], touched: [], wrong: [] });
  expect(servers?.moments).toBeGreaterThan(50);
});
