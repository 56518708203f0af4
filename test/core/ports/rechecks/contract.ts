import { expect, it } from "vitest";
import { minutes } from "../../../../core/clock.ts";
import { asOperationId } from "../../../../core/id.ts";
import type { Recheck, RecheckQueue } from "../../../../core/kernel/saga/rechecks.ts";
import type { VirtualClock } from "../../../support/virtual-clock.ts";

/** A queue under test, with what it has delivered. */
export interface Queueing {
  queue: RecheckQueue;
  clock: VirtualClock;
  arrived: Recheck[];
}

/** The promises of every queue of rechecks. A message may come up to a second after its time. */
export function recheckQueueContract(open: () => Queueing): void {
  const recheck = (step: string): Recheck => ({ operation: asOperationId("o-1"), step });

  it.each([0, 1, 3400, 20_000, minutes(15)])(
    "what is due in %i ms arrives then, once, and no sooner",
    async (after) => {
      const { queue, clock, arrived } = open();
      await queue.put(recheck("Wait"), after);
      if (after > 0) await clock.advance(after - 1);
      expect(arrived).toEqual(after > 0 ? [] : arrived);
      await clock.advance(1001);
      expect(arrived).toEqual([recheck("Wait")]);
      await clock.advance(minutes(60));
      expect(arrived).toHaveLength(1);
    },
  );

  it("each message has a time of its own, whichever was put first", async () => {
    const { queue, clock, arrived } = open();
    for (const [step, after] of [
      ["third", 30_000],
      ["first", 10_000],
      ["second", 20_000],
    ] as const)
      await queue.put(recheck(step), after);
    for (const count of [1, 2, 3]) {
      await clock.advance(10_000);
      expect(arrived.map(({ step }) => step)).toEqual(["first", "second", "third"].slice(0, count));
    }
  });
}
