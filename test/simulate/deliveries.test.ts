import { expect, it, onTestFinished } from "vitest";
import { seconds } from "../../core/clock.ts";
import { openDatabase } from "../../core/kernel/store/sqlite/tables.ts";
import { silent } from "../../core/log.ts";
import { readStream } from "../../local/stream.ts";
import { sum } from "../../simulate/counts.ts";
import { RestlessStore, troubleDeliveries } from "../../simulate/deliveries.ts";
import { Dice } from "../../simulate/dice.ts";
import { eventually } from "../support/eventually.ts";
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

it("a stream that comes late has news all the while, and hands it out in the end", async () => {
  const database = openDatabase(":memory:");
  const clock = new VirtualClock();
  const dice = new Dice(seeded(3), 0.5);
  const store = new RestlessStore(database, dice, clock);
  onTestFinished(() => store.close());
  const seen: string[] = [];
  const reader = readStream(
    { store, clock, log: silent },
    async ({ key }) => void seen.push(key.pk),
  );
  onTestFinished(() => reader.stop());
  dice.areOn = true;
  const wasBehind: boolean[] = [];
  for (let n = 0; n < 20; n++) {
    await store.transact([{ put: { pk: `p${n}`, sk: "-" } }]);
    await new Promise(setImmediate);
    await reader.drained();
    expect(reader.isBehind()).toBe(!seen.includes(`p${n}`));
    wasBehind.push(reader.isBehind());
    await clock.advance(seconds(30));
  }
  expect(new Set(wasBehind)).toEqual(new Set([true, false]));
  dice.areOn = false;
  await clock.advance(seconds(30));
  await eventually(() => expect(new Set(seen).size).toBe(20));
});
