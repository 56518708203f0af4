import { describe, expect, it } from "vitest";
import { minutes, seconds, timestamp } from "../../../../core/clock.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import { dueIndexes, movedOn } from "../../../../core/kernel/saga/due.ts";
import {
  dueAt,
  type Operation,
  type StepEntry,
  stepStates,
} from "../../../../core/kernel/saga/operation.ts";
import { operationStatus } from "../../../../core/kernel/saga/status.ts";
import { testDeps } from "../../../support/deps.ts";
import { startOrder } from "../../../support/placement.ts";
import { seeded } from "../../../support/random.ts";
import { seed } from "../../../support/seed.ts";

const deps = testDeps();
const began = deps.clock.now();
const at = (ms: number) => timestamp(began + ms);

const { operation: id } = await startOrder(deps, "c1", { small: 1 });
const { steps: _, ...accepted } = await mustLoad(deps, "operation", id);
const running: Operation = { ...accepted, steps: {}, status: { state: "RUNNING" } };

/** The operation with a step like this, as it is written `ms` after the beginning. */
function written(operation: Operation, entry: Partial<StepEntry>, ms: number): Operation {
  const step = { position: 0, state: "WAITING" as const, attempts: 1, token: "t", ...entry };
  const changed = { ...operation, steps: { Step: step } };
  return { ...changed, status: operationStatus(changed, began + ms) };
}

const placeOf = (operation: Operation) => dueIndexes(operation, at(0)).g2sk?.split("#")[0];

describe("the place of an operation in the due index", () => {
  it("is the minute in which it is due", () => {
    const waiting = written(running, { look_at: at(seconds(90)) }, 0);
    expect(placeOf(waiting)).toBe(at(minutes(1)));
  });

  it("stays as long as a step is at work", () => {
    const waiting = written(running, { look_at: at(seconds(90)) }, 0);
    const later = { deadline: at(minutes(10)) };
    expect(placeOf(written(waiting, { state: "RUNNING", ...later }, seconds(91)))).toBe(
      at(minutes(1)),
    );
    const ended = { state: "SUCCEEDED", end_time: at(minutes(3)) } as const;
    expect(placeOf(written(waiting, ended, minutes(3)))).toBe(at(minutes(1)));
  });

  it("moves on with a wait, which would be found for nothing", () => {
    const looked = written(running, { look_at: at(seconds(90)) }, 0);
    expect(placeOf(written(looked, { look_at: at(minutes(5)) }, seconds(90)))).toBe(at(minutes(5)));
  });

  it("stays where it is far away, however late the operation is due by now", () => {
    const waiting = written(running, { deadline: at(minutes(10)) }, 0);
    expect(placeOf(written(waiting, { deadline: at(minutes(12)) }, minutes(1)))).toBe(
      at(minutes(10)),
    );
  });

  it("becomes sooner at once", () => {
    const waiting = written(running, { deadline: at(minutes(10)) }, 0);
    expect(placeOf(written(waiting, { look_at: at(minutes(4)) }, minutes(1)))).toBe(at(minutes(4)));
  });

  it("is that in which it is due once it has been found too early", () => {
    const waiting = written(running, { deadline: at(minutes(10)) }, 0);
    const early = written(waiting, { deadline: at(minutes(12)) }, minutes(1));
    expect(placeOf(movedOn(early))).toBe(at(minutes(12)));
  });
});

it(`is never later than the operation is due, whatever is written (seed ${seed})`, () => {
  const random = seeded(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const time = (now: number) => at(now + Math.floor((random() - 0.3) * minutes(20)));
  for (let n = 0; n < 200; n++) {
    let operation = running;
    for (let now = 0; now < minutes(60); now += Math.floor(random() * minutes(4))) {
      const state = pick(stepStates);
      const times = ["look_at", "deadline", "usual_end", "retry_at", "end_time"] as const;
      const some = times.filter(() => random() < 0.5).map((name) => [name, time(now)]);
      const entry: Partial<StepEntry> = { state, ...Object.fromEntries(some) };
      operation = written(operation, entry, now);
      const due = dueAt(operation);
      expect(due === undefined).toBe(placeOf(operation) === undefined);
      if (due !== undefined)
        expect(Date.parse(placeOf(operation) ?? "")).toBeLessThanOrEqual(Date.parse(due));
    }
  }
});
