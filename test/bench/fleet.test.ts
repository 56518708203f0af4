import { describe, expect, it } from "vitest";
import { sharesOf } from "../../bench/fleet/cpu.ts";
import { createClusters, inSystem, sizeFor } from "../../bench/fleet/create.ts";
import { ownShares, percentile, type Times } from "../../bench/fleet/times.ts";
import { stepsOf } from "../../core/kernel/saga/saga.ts";
import { clusterCreate } from "../../statemachines/cluster.ts";

it("orders that are under way at once all end well, and each step says how long it took", async () => {
  const size = { sites: 2, hubsAtSite: 1, hostsAtHub: { fc430: 4 } };
  const creates = await inSystem({ size }, (system) =>
    createClusters(system, { orders: 4, within: 20_000 }),
  );
  const steps = stepsOf(clusterCreate.nodes).map(({ name }) => name);
  for (const { state, whole, steps: took, attaching } of creates) {
    expect(state).toBe("SUCCEEDED");
    expect(Object.keys(took).toSorted()).toEqual(steps.toSorted());
    const inTurn = Object.values(took).reduce((sum, each) => sum + each, 0);
    expect(whole).toBeLessThanOrEqual(inTurn);
    expect(attaching).toBeGreaterThan(0);
    expect(attaching).toBeLessThanOrEqual(took.AttachHosts ?? 0);
  }
});

it("there is room for every order, and some more", () => {
  const { sites, hubsAtSite, hostsAtHub } = sizeFor(1000);
  expect(sites * hubsAtSite * 20).toBeGreaterThanOrEqual(1200);
  expect(sites * hubsAtSite * (hostsAtHub.fc430 ?? 0)).toBeGreaterThanOrEqual(2400);
});

describe("the control plane's own share", () => {
  const times = (attaching: number, late: number): Times => ({
    whole: 1000 + attaching + 2 * late,
    steps: { AttachHosts: attaching + late, Validate: 1000 + late },
    attaching,
  });
  const ideal = { whole: 1500, steps: { AttachHosts: 500, Validate: 1000 }, attaching: 500 };

  it("is nothing of a create that waits for nothing of ours, however long its hosts are attached", () => {
    expect(ownShares([times(500, 0), times(90_000, 0)], ideal)).toEqual({
      "a create": { p50: 0, p99: 0 },
      AttachHosts: { p50: 0, p99: 0 },
      Validate: { p50: 0, p99: 0 },
    });
  });

  it("is what steps take longer than they need", () => {
    expect(ownShares([times(7, 0), times(8, 2000), times(9, 4000)], ideal)).toEqual({
      "a create": { p50: 4, p99: 8 },
      AttachHosts: { p50: 2, p99: 4 },
      Validate: { p50: 2, p99: 4 },
    });
  });
});

it.each([
  [0.5, [1, 2, 3], 2],
  [0.99, Array.from({ length: 100 }, (_, n) => n), 98],
  [0.99, [5], 5],
  [0.5, [], 0],
])("the share %d of numbers in their order does not exceed", (share, numbers, expected) => {
  expect(percentile(numbers, share)).toBe(expected);
});

it("CPU counts for the code of ours that is on top; what waits does not count", () => {
  const at = (path: string) => new URL(`../../${path}`, import.meta.url).href;
  const node = (id: number, url: string, hitCount: number, children: number[], name = "f") => ({
    ...{ id, hitCount, children },
    callFrame: { functionName: name, scriptId: "0", url, lineNumber: 0, columnNumber: 0 },
  });
  const nodes = [
    node(1, "", 0, [2, 6, 7], "(root)"),
    node(2, at("core/kernel/saga/step.ts"), 3, [3, 4]),
    node(3, at("node_modules/zod/index.js"), 1, []),
    node(4, at("simulate/slipway.ts"), 0, [5]),
    node(5, at("sim/world.ts"), 4, []),
    node(6, "", 90, [], "(idle)"),
    node(7, "node:internal/timers", 2, [], "processTimers"),
  ];
  expect(sharesOf({ nodes })).toEqual({
    ...{ "the control plane": 0.4, "the simulated systems outside": 0.4 },
    ...{ Node: 0.2, "the bench itself": 0 },
  });
});
