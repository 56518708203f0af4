import { expect, it } from "vitest";
import { hours, minutes, timestamp } from "../../../../core/clock.ts";
import { newEntry, outlasted, outlasting } from "../../../../core/kernel/saga/entry.ts";
import { outageLimit } from "../../../../core/kernel/saga/saga.ts";
import { testDeps } from "../../../support/deps.ts";

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
