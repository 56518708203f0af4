import { expect, it } from "vitest";
import { newEntry } from "../../../../core/kernel/saga/entry.ts";
import { newOperation } from "../../../../core/kernel/saga/new-operation.ts";
import type { Operation, StepEntry } from "../../../../core/kernel/saga/operation.ts";
import { packed, unpacked } from "../../../../core/kernel/saga/packed.ts";
import { clusterRecord } from "../../../support/cluster-record.ts";
import { testDeps } from "../../../support/deps.ts";

const ended: StepEntry = {
  ...{ position: 3, state: "SUCCEEDED", attempts: 2, system: "hosted cluster" },
  ...{ start_time: "2026-01-01T00:05:11.000Z", end_time: "2026-01-01T00:06:03.267Z" },
};
const { system: _, ...bare } = ended;

/** Steps, and how each is stored; undefined for whole. */
const entries: [string, StepEntry, string | undefined][] = [
  ["that has not begun", newEntry(11), "11 PENDING"],
  ["that is done", ended, "3 SUCCEEDED 2 2026-01-01T00:05:11.000Z +52267ms hosted cluster"],
  ["without a system", bare, "3 SUCCEEDED 2 2026-01-01T00:05:11.000Z +52267ms"],
  [
    "that was skipped",
    { ...bare, state: "SKIPPED" },
    "3 SKIPPED 2 2026-01-01T00:05:11.000Z +52267ms",
  ],
  ["that runs", { ...newEntry(1), state: "RUNNING", attempts: 1, attempt: "a" }, undefined],
  ["whose answer is under way", { ...ended, token: "kept#t" }, undefined],
  ["with a call that may still land", { ...ended, unanswered: 5 }, undefined],
  ["that failed", { ...ended, state: "FAILED", error: "Rejected", message: "no" }, undefined],
  ["that was skipped before it began", { ...newEntry(2), state: "SKIPPED" }, undefined],
  ["whose clock went back", { ...ended, end_time: "2026-01-01T00:00:00.000Z" }, undefined],
];

const deps = testDeps();
const operation: Operation = newOperation(deps, {
  saga: "cluster-create",
  change: "CREATE",
  target: clusterRecord(0, "one"),
  creator: "alice",
});

it.each(entries)("a step %s is read as it was written", (_, entry, line) => {
  const stored = packed({ ...operation, steps: { One: entry } }) as Operation;
  expect(stored.steps.One).toEqual(line ?? entry);
  expect(unpacked(stored)).toEqual({ ...operation, steps: { One: entry } });
});

it.each([
  ["labels", { labels: { tier: "gold" } }],
  ["annotations", { annotations: { why: "a test" } }],
  ["a project", { project: "shop.web" }],
])("an operation with %s is read as it was written", (_, more) => {
  const given = { ...operation, metadata: { ...operation.metadata, ...more } };
  expect(unpacked(packed(given) as Operation)).toEqual(given);
});
