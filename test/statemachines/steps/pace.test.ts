import { expect, it } from "vitest";
import { minutes, seconds, timestamp } from "../../../core/clock.ts";
import type { Context } from "../../../core/kernel/saga/context.ts";
import { newEntry } from "../../../core/kernel/saga/entry.ts";
import { pause } from "../../../statemachines/steps/pace.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

const pace = { first: seconds(2), longest: seconds(60) };

/** A step that has waited for so long, or that does not wait yet. */
function waited(ms: number | undefined): Context {
  const clock = new VirtualClock();
  const since = ms === undefined ? {} : { waiting_since: timestamp(clock.now() - ms) };
  const steps = { Step: { ...newEntry(0), ...since } };
  return { deps: { clock }, operation: { steps }, step: "Step" } as unknown as Context;
}

it.each([
  ["does not wait yet", undefined, seconds(2)],
  ["has just begun to wait", 0, seconds(2)],
  ["has waited for seconds", seconds(6), seconds(2)],
  ["has waited for half a minute", seconds(30), seconds(10)],
  ["has waited for minutes", minutes(3), seconds(60)],
  ["has waited for hours", minutes(300), seconds(60)],
])("a step that %s looks again after a while in proportion", (_, ms, expected) => {
  expect(pause(waited(ms), pace)).toBe(expected);
});
