import { describe, expect, it } from "vitest";
import { foremost } from "../../console/src/saga/foremost.ts";
import { type Step, shapeOf } from "../../console/src/saga/shape.ts";
import { ticksIn } from "../../console/src/saga/ticks.ts";
import { lengthOf } from "../../console/src/ui/length.ts";

/** The parts of a run's page that are computed. */

const step = (name: string, state: Step["state"], end?: number): Step => ({
  ...{ name, state, attempts: 1 },
  ...(end !== undefined && { end_time: new Date(end).toISOString() }),
});

describe("the step whose details are shown first", () => {
  it.each<[string, Step[], string]>([
    ["the open one", [step("a", "SUCCEEDED", 1), step("b", "WAITING"), step("c", "PENDING")], "b"],
    ["an open one beside a failed one", [step("a", "FAILED", 1), step("b", "RUNNING")], "b"],
    ["the failed one", [step("a", "FAILED", 1), step("b", "SUCCEEDED", 2)], "a"],
    ["the last that ended", [step("a", "SUCCEEDED", 2), step("b", "SUCCEEDED", 1)], "a"],
    ["the first, before the begin", [step("a", "PENDING"), step("b", "PENDING")], "a"],
  ])("is %s", (_, steps, name) => {
    expect(foremost(steps)?.name).toBe(name);
  });
});

describe("the axis of a timeline", () => {
  const minute = 60_000;
  const at = (minutes: number) => Date.UTC(2026, 0, 1) + minutes * minute;
  it.each<[string, number, number, number[]]>([
    ["has round times", 1, 24, [5, 10, 15, 20]],
    ["begins and ends with a round time", 10, 20, [10, 12, 14, 16, 18, 20]],
    ["counts hours", 30, 330, [60, 120, 180, 240, 300]],
    ["counts days", 0, 3 * 1440, [0, 1440, 2880, 4320]],
    ["has none within a minute", 0.2, 0.8, []],
  ])("%s", (_, from, to, marks) => {
    expect(ticksIn(at(from), at(to))).toEqual(marks.map(at));
  });

  it("has few marks for years too", () => {
    expect(ticksIn(0, at(0)).length).toBeLessThanOrEqual(6);
  });
});

describe("a length of time", () => {
  it.each<[number, string]>([
    [0, "0 s"],
    [47_900, "47 s"],
    [60_000, "1 min"],
    [119_000, "1 min"],
    [3_600_000, "1 h"],
    [4_320_000, "1 h 12 min"],
    [86_400_000, "1 d"],
    [273_600_000, "3 d 4 h"],
  ])("%i ms is %s", (ms, words) => {
    expect(lengthOf(ms)).toBe(words);
  });
});

it("a run knows the usual times of its steps, and which are undone", () => {
  const steps = ["CreateDnsRecords", "JoinNodes"].map((name) => step(name, "PENDING"));
  // Only the steps are drawn.
  const { usual, undone } = shapeOf({ status: { steps } } as Parameters<typeof shapeOf>[0]);
  expect(usual).toMatchObject({ CreateDnsRecords: 30, JoinNodes: 600 });
  expect(undone).toContain("CreateDnsRecords");
});
