import { describe, expect, it } from "vitest";
import { asOperationId } from "../../../../core/id.ts";
import type { Recheck } from "../../../../core/kernel/saga/rechecks.ts";
import { silent } from "../../../../core/log.ts";
import { clockRecheckQueue } from "../../../../core/ports/rechecks/clock.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";
import { recheckQueueContract } from "./contract.ts";

const recheck: Recheck = { operation: asOperationId("o-1"), step: "Wait" };

describe("the queue on a clock", () => {
  recheckQueueContract(() => {
    const clock = new VirtualClock();
    const arrived: Recheck[] = [];
    const queue = clockRecheckQueue(
      { clock, log: silent },
      async (each) => void arrived.push(each),
    );
    return { queue, clock, arrived };
  });

  it("delivers nothing any more once it is stopped, and waits for what is under way", async () => {
    const clock = new VirtualClock();
    const began: string[] = [];
    const work = Promise.withResolvers<void>();
    const queue = clockRecheckQueue({ clock, log: silent }, async ({ step }) => {
      began.push(step);
      await work.promise;
    });
    await queue.put(recheck, 1000);
    await queue.put({ ...recheck, step: "Later" }, 2000);
    await clock.advance(1000);
    let isStopped = false;
    const stopped = queue.stop().then(() => {
      isStopped = true;
    });
    await clock.advance(5000);
    expect({ began, isStopped }).toEqual({ began: ["Wait"], isStopped: false });
    work.resolve();
    await stopped;
  });

  it("outlives a recheck that fails", async () => {
    const clock = new VirtualClock();
    const warned: string[] = [];
    const log = { ...silent, warn: (_: object, message: string) => void warned.push(message) };
    const queue = clockRecheckQueue({ clock, log }, async () => {
      throw new Error("the store is unreachable");
    });
    await queue.put(recheck, 1000);
    await clock.advance(1000);
    expect(warned).toEqual(["a recheck failed"]);
    await queue.stop();
  });
});
