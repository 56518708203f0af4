import { expect, it } from "vitest";
import { hours, minutes, timestamp } from "../../../../core/clock.ts";
import { AppError } from "../../../../core/error.ts";
import {
  answered,
  newEntry,
  outlasted,
  outlasting,
  parked,
  parkedWait,
  retrying,
  waiting,
} from "../../../../core/kernel/saga/entry.ts";
import type { StepEntry } from "../../../../core/kernel/saga/operation.ts";
import { outageLimit, pending } from "../../../../core/kernel/saga/saga.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";

/** The changes of an entry that an outage makes. */

interface Outage {
  /** When the last try was in vain, when the deadline was before this one, and when it is now: ms after the step's start. */
  away: number;
  deadline: number;
  now: number;
}

it.each<[string, Outage, number]>([
  [
    "by the time since the last try",
    { away: 0, deadline: hours(1), now: minutes(10) },
    minutes(70),
  ],
  [
    "not by a time that was no outage",
    { away: minutes(10), deadline: hours(1), now: minutes(10) },
    hours(1),
  ],
  [
    "to a day after the step began, and no further",
    { away: outageLimit - hours(1), deadline: outageLimit - minutes(5), now: outageLimit },
    outageLimit,
  ],
  [
    "no more once that day is over",
    { away: outageLimit, deadline: outageLimit, now: outageLimit + hours(3) },
    outageLimit,
  ],
  [
    "never back, where the step has more time than a day",
    { away: hours(1), deadline: outageLimit + hours(9), now: hours(2) },
    outageLimit + hours(9),
  ],
])("an outage moves a deadline %s", async (_, { away, deadline, now }, moved) => {
  const deps = testDeps();
  const start = deps.clock.now();
  const at = (after: number) => timestamp(start + after);
  await deps.clock.advance(now);
  const entry = { ...newEntry(0), start_time: at(0), deadline: at(deadline), away_at: at(away) };
  for (const after of [outlasting(deps, entry), outlasted(deps, entry)]) {
    expect(after).toMatchObject({ deadline: at(moved), away_at: at(now), away_for: now - away });
  }
});

it("the first try in vain begins an outage, and moves nothing", () => {
  const deps = testDeps();
  const entry = { ...newEntry(0), deadline: timestamp(deps.clock.now() + hours(1)) };
  expect(outlasted(deps, entry)).toBe(entry);
  expect(outlasting(deps, entry)).toEqual({ ...entry, away_at: timestamp(deps.clock.now()) });
});

const refused = new AppError("Unavailable", "DNS answered 503", { call: "PATCH zones/a" });
const entry = { ...newEntry(0), attempts: 1 };

it.each([
  ["is interrupted", retrying, true],
  ["waits for an unreachable hub", parked, true],
  ["fails for good", answered, true],
  [
    "checks in vain",
    (deps, before, error) => waiting(deps, before, pending(error.message), error),
    true,
  ],
  ["waits for a report", (deps, before) => waiting(deps, before, pending("2 nodes")), false],
  [
    "is cancelled",
    (deps, before) => answered(deps, before, new AppError("Cancelled", "ann asked")),
    false,
  ],
  ["is done", (deps, before) => answered(deps, before), false],
  [
    "waits for reports of a hub that others found unreachable",
    (deps, before, error) => parkedWait(deps, before, error, timestamp(deps.clock.now())),
    false,
  ],
] satisfies [string, (deps: TestDeps, before: StepEntry, error: AppError) => StepEntry, boolean][])(
  "a step that %s keeps its failed attempt, if it is one",
  (_, end, isFailed) => {
    const deps = testDeps();
    const time = timestamp(deps.clock.now());
    const kept = isFailed && [{ time, message: refused.message, call: refused.call }];
    expect(end(deps, entry, refused).failed_attempts ?? false).toEqual(kept);
  },
);

it("a failed attempt has the refused call with its status, rather than an unanswered one", () => {
  const refused = { call: "PUT records/b", status: 503 };
  const error = Object.assign(new AppError("Unavailable", "503", { call: "GET a" }), { refused });
  expect(retrying(testDeps(), entry, error).failed_attempts).toMatchObject([refused]);
});

it("a step keeps its last five failed attempts, the newest first, each reason cut", async () => {
  const deps = testDeps();
  let after: StepEntry = entry;
  for (let n = 1; n <= 7; n++) {
    await deps.clock.advance(minutes(1));
    after = retrying(deps, after, new AppError("Unavailable", `${n} ${"x".repeat(500)}`));
  }
  const failed = after.failed_attempts ?? [];
  expect(failed.map(({ message }) => message[0])).toEqual(["7", "6", "5", "4", "3"]);
  expect(Buffer.byteLength(failed[0]?.message ?? "")).toBe(400);
  expect(answered(deps, after).failed_attempts).toEqual(failed);
});
