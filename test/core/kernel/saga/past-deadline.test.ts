import { expect, it } from "vitest";
import { timestamp } from "../../../../core/clock.ts";
import type { StepEntry } from "../../../../core/kernel/saga/operation.ts";
import { pastDeadline } from "../../../../core/kernel/saga/past-deadline.ts";

const began = Date.parse("2026-01-01T00:00:00Z");
const minute = 60_000;
const away = { system: "hub", instance: "hub-a" };

it.each<[string, Partial<StepEntry>, number, string]>([
  [
    "waits",
    { state: "WAITING", message: "the power to be off; the controller says that it is on" },
    30 * minute + 999,
    "waited 30 min for the power to be off; the controller says that it is on",
  ],
  [
    "has waited since a part of its time",
    { state: "WAITING", message: "2 hosts", waiting_since: timestamp(began + 60 * minute) },
    26 * 60 * minute,
    "waited 25 h for 2 hosts",
  ],
  [
    "waits for a system that is unreachable",
    { state: "WAITING", message: "the hub does not answer", blocked_by: away },
    119 * minute,
    "not done within 119 min; last: the hub does not answer",
  ],
  [
    "tries in vain",
    { message: "the server's controller does not answer" },
    120 * minute,
    "not done within 2 h; last: the server's controller does not answer",
  ],
  ["was never answered", {}, 9 * minute, "not done within 9 min"],
])("a step that %s says for how long and what for", (_, entry, after, message) => {
  const step = { ...{ position: 0, attempts: 1, state: "RUNNING" as const }, ...entry };
  const { message: said, kind } = pastDeadline(
    { start_time: timestamp(began), ...step },
    began + after,
  );
  expect([kind, said]).toEqual(["DeadlineExceeded", message]);
});
