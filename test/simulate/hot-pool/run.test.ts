import { expect, it } from "vitest";
import type { Settings } from "../../../simulate/arguments.ts";
import { reportOf } from "../../../simulate/report.ts";
import { simulate } from "../../../simulate/simulation.ts";
import { seed } from "../../support/seed.ts";

/** A small simulation of a hot pool; another with another `SEED`. */

const hotPool = { min: 1, max: 2 };
const size = { sites: 1, hubsAtSite: 1, hostsAtHub: { fc430: 8, h100: 1 }, hotPool };

it("servers fail, and every order is READY or says what it waits for", async () => {
  const settings: Settings = {
    ...{ seed, orders: 2, faults: 0, hours: 0.2, mix: "orders" },
    ...{ hotPool, failingServers: 0.3 },
  };
  const outcome = await simulate(settings, { size });
  console.log(`SEED=${seed}: ${reportOf(outcome)}`);
  const { lost, leaked, late, broken, unexpected, hotPool: pools } = outcome;
  expect({ lost, leaked, late, broken, unexpected, wrong: pools?.wrong }).toEqual({
    ...{ lost: [], leaked: [], late: [], broken: [], unexpected: {}, wrong: [] },
  });
  expect(pools?.admitted).toBeGreaterThan(0);
});

it("the same again from the same seed", async () => {
  const settings: Settings = {
    ...{ seed, orders: 1, faults: 0.1, hours: 0.1, mix: "orders" },
    ...{ hotPool, failingServers: 0 },
  };
  const small = { ...size, hostsAtHub: { fc430: 3 } };
  const first = await simulate(settings, { size: small });
  const second = await simulate(settings, { size: small });
  expect({ ...second, cpuSeconds: 0 }).toEqual({ ...first, cpuSeconds: 0 });
  expect(first.hotPool?.admitted).toBeGreaterThan(0);
});
