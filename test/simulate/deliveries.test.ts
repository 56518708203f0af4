import { expect, it } from "vitest";
import { sum } from "../../simulate/counts.ts";
import { troubleDeliveries } from "../../simulate/deliveries.ts";
import { Dice } from "../../simulate/dice.ts";
import { seeded } from "../support/random.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

it("a queued recheck is refused, lost, late, early or repeated, and otherwise comes when it should", async () => {
  const put: number[] = [];
  const none = async () => true;
  const deps = {
    workflow: {
      start: async () => {},
      describe: async () => undefined,
      plan: async () => undefined,
      succeed: none,
      fail: none,
    },
    rechecks: { request: async () => {} },
    recheckQueue: { put: async (_: object, after: number) => void put.push(after) },
  };
  const dice = new Dice(seeded(7), 0.5);
  dice.areOn = true;
  troubleDeliveries({ deps, clock: new VirtualClock() }, dice);
  const ways: Record<string, number> = {};
  for (let n = 0; n < 400; n++) {
    put.length = 0;
    const recheck = { operation: "o", step: "s" } as never;
    const taken = await deps.recheckQueue.put(recheck, 60_000).then(
      () => true,
      () => false,
    );
    const came = put.map((after) => Math.sign(after - 60_000));
    const way = taken ? came.join() : "refused";
    ways[way] = (ways[way] ?? 0) + 1;
  }
  // As told, lost, early, late, and twice.
  expect(Object.keys(ways).sort()).toEqual(["", "-1", "0", "0,1", "1", "refused"].sort());
  expect(sum(dice.happened)).toBe(400 - (ways["0"] ?? 0));
});
