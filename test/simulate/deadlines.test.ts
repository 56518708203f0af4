import { expect, it } from "vitest";
import { hours, minutes, timestamp } from "../../core/clock.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { newEntry } from "../../core/kernel/saga/entry.ts";
import type { StepEntry } from "../../core/kernel/saga/operation.ts";
import { DeadHosts } from "../../simulate/dead-hosts.ts";
import { late } from "../../simulate/deadlines.ts";
import { testDeps } from "../support/deps.ts";
import { startOrder } from "../support/placement.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const began = Date.parse("2026-01-01T00:00:00Z");
const at = (ms: number): string => timestamp(began + ms);
const open: Partial<StepEntry> = { state: "WAITING", deadline: at(minutes(30)) };
const away: Partial<StepEntry> = { ...open, away_at: at(minutes(20)) };
const ended = (ms: number): Partial<StepEntry> => ({ state: "SUCCEEDED", end_time: at(ms) });
const ranOut: Partial<StepEntry> = { ...ended(minutes(30)), error: "DeadlineExceeded" };

interface Case {
  step?: string;
  entry: Partial<StepEntry>;
  /** Milliseconds since the step began. */
  now: number;
  before?: Partial<StepEntry>;
  resumed?: true;
  /** A host of its cluster lost its power, so many milliseconds after the step began, for half an hour. */
  hostDied?: number;
}

it.each<[string, Case, string | undefined]>([
  ["open in its time", { entry: open, now: minutes(30) }, undefined],
  ["open a little longer", { entry: open, now: minutes(31) }, undefined],
  ["open past its time", { entry: open, now: minutes(33) }, "is open past its deadline"],
  ["past its time after a resume", { entry: open, now: minutes(33), resumed: true }, undefined],
  ["open while its system is unreachable", { entry: away, now: hours(20) }, undefined],
  ["away for more than a day", { entry: away, now: hours(24) + minutes(3) }, "is open past its"],
  ["ended in its time", { entry: ended(minutes(30)), now: hours(72), before: open }, undefined],
  ["ended late", { entry: ended(minutes(40)), now: hours(1), before: open }, "was open for 40"],
  ["ended after an outage", { entry: ended(hours(9)), now: hours(9), before: away }, undefined],
  ["ended after days", { entry: ended(hours(48)), now: hours(48) }, "was open for 2880 minutes"],
  ["out of time", { entry: ranOut, now: hours(1) }, "ran out of its time"],
  ["out of time beside a dead host", { entry: ranOut, now: hours(1), hostDied: 0 }, undefined],
  [
    "out of time before a host died",
    { entry: ranOut, now: hours(1), hostDied: minutes(31) },
    "ran out",
  ],
  [
    "out of time at its site, beside a dead host",
    { step: "AllocateStorage", entry: ranOut, now: hours(1), hostDied: 0 },
    "ran out of its time",
  ],
  ["never placed", { step: "ReserveCapacity", entry: ranOut, now: hours(1) }, undefined],
])("tells of a step that was %s what is wrong", async (_, told, expected) => {
  const { step = "DeployControlPlane", entry, now, before, resumed = false, hostDied } = told;
  const deps = testDeps();
  const order = await startOrder(deps, "one", { small: 1 });
  const deadHosts = new DeadHosts(new VirtualClock(began + (hostDied ?? 0)));
  if (hostDied !== undefined) deadHosts.note(order.cluster, minutes(30));
  const operation = await mustLoad(deps, "operation", order.operation);
  const withStep = (more: Partial<StepEntry>) => ({
    ...operation,
    steps: { [step]: { ...newEntry(0), start_time: at(0), ...more } },
  });
  const found = late(withStep(entry), began + now, {
    before: before && withStep(before),
    resumed,
    deadHosts,
  });
  expect(found).toEqual(expected === undefined ? [] : [expect.stringContaining(expected)]);
});
