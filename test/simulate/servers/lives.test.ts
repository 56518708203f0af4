import { expect, it } from "vitest";
import type { Settings } from "../../../simulate/arguments.ts";
import { reportOf } from "../../../simulate/report.ts";
import { simulate } from "../../../simulate/simulation.ts";
import { seed } from "../../support/seed.ts";

/** A small simulation of servers that tenants order whole; another with another `SEED`. */

const size = { sites: 1, hubsAtSite: 1, hostsAtHub: {}, servers: { plain: 2, withDpus: 2 } };

it.each([
  ["", 0],
  [", and DPUs die", 0.25],
])(
  "servers of tenants come and go with faults%s: all are isolated and erased",
  async (_, deadDpus) => {
    const settings: Settings = {
      ...{ seed, orders: 5, hours: 1, faults: 0.05, mix: "orders", bareMetal: { deadDpus } },
    };
    const outcome = await simulate(settings, { size });
    console.log(`SEED=${seed}: ${reportOf(outcome)}`);
    const { lost, leaked, late, broken, unexpected, servers } = outcome;
    expect({ lost, leaked, late, broken, unexpected }).toEqual({
      ...{ lost: [], leaked: [], late: [], broken: [], unexpected: {} },
    });
    expect(servers).toMatchObject({ lives: 5, unwiped: [], crossed: [], touched: [], wrong: [] });
    expect(servers?.moments).toBeGreaterThan(50);
  },
);
