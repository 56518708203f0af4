import { expect, it } from "vitest";
import { type Arrival, arrivalName } from "../../support/matrix/arrivals.ts";
import { endOf, endsOf, type Place } from "../../support/matrix/ends.ts";
import { tableOf } from "../../support/matrix/report.ts";
import type { Leads } from "../../support/matrix/way.ts";

const step: Place = {
  irreversible: false,
  isCreate: false,
  holds: false,
  state: "Paint",
  isUndo: false,
  broken: ["Paint"],
};
const undo: Place = {
  ...step,
  state: "Undo Paint",
  isUndo: true,
  failing: "Check",
  broken: ["Undo Paint"],
};
const on = { stuckAt: [], operation: "SUCCEEDED", end: "done" };
const undone = { stuckAt: [], operation: "FAILED", end: "undone" };

it.each<[string, Place, Leads, unknown[]]>([
  ["a step that goes on", step, "on", [on]],
  ["a step that fails", step, "fails", [{ ...undone, failedIn: "Paint" }]],
  [
    "a step that fails where that is held",
    { ...step, holds: true },
    "fails",
    [{ ...undone, failedIn: "Paint", end: "held" }],
  ],
  ["a step that is cancelled", step, "cancelled", [{ ...undone, operation: "CANCELLED" }]],
  [
    "a step of a deletion that fails",
    { ...step, irreversible: true },
    "fails",
    [{ ...on, stuckAt: ["Paint"] }],
  ],
  ["an undo that goes on", undo, "on", [{ ...undone, failedIn: "Check" }]],
  [
    "an undo that fails",
    undo,
    "fails",
    [{ ...undone, stuckAt: ["Undo Paint"], failedIn: "Check" }],
  ],
  [
    "an undo that fails with the next one",
    { ...undo, broken: ["Undo Paint", "Undo Make"] },
    "fails",
    [{ ...undone, stuckAt: ["Undo Paint", "Undo Make"], failedIn: "Check" }],
  ],
  ["a step that a system may refuse", step, "may fail", [on, { ...undone, failedIn: "Paint" }]],
])("%s has just these ends", (_, place, leads, ends) => {
  expect(endsOf(place, leads)).toEqual(ends);
});

const deletion = { ...step, irreversible: true };
const creation = { ...undo, isCreate: true };

it.each<[Place, Arrival, unknown]>([
  [
    step,
    { request: "a cancel", moment: "as it runs" },
    { isAccepted: true, operation: "CANCELLED", end: "undone" },
  ],
  [
    step,
    { request: "a delete", moment: "as it waits" },
    { isAccepted: true, operation: "CANCELLED", next: "SUCCEEDED", end: "gone" },
  ],
  [
    step,
    { request: "a new wish", moment: "when it has succeeded" },
    { isAccepted: true, operation: "SUCCEEDED", next: "SUCCEEDED", end: "wished" },
  ],
  [
    step,
    { request: "the same again", moment: "when it has failed" },
    { isAccepted: true, operation: "FAILED", next: "SUCCEEDED", end: "done" },
  ],
  [
    undo,
    { request: "a cancel", moment: "as it runs" },
    { isAccepted: true, operation: "CANCELLED", end: "undone" },
  ],
  [
    undo,
    { request: "a cancel", moment: "when it is stuck" },
    { isAccepted: false, operation: "FAILED", end: "undone" },
  ],
  [
    undo,
    { request: "a delete", moment: "when it is stuck" },
    { isAccepted: true, operation: "CANCELLED", next: "SUCCEEDED", end: "gone" },
  ],
  [
    undo,
    { request: "a new wish", moment: "as it waits" },
    { isAccepted: true, operation: "FAILED", next: "SUCCEEDED", end: "wished" },
  ],
  [
    creation,
    { request: "a new wish", moment: "as it runs" },
    { isAccepted: true, operation: "FAILED", next: "CANCELLED", end: "undone" },
  ],
  [
    deletion,
    { request: "a cancel", moment: "as it runs" },
    { isAccepted: false, operation: "SUCCEEDED", end: "done" },
  ],
  [
    deletion,
    { request: "a delete", moment: "when it is stuck" },
    { isAccepted: true, operation: "SUCCEEDED", end: "done" },
  ],
])("of the state and the request, case %#, there is just this end", (place, arrival, end) => {
  expect(endOf(place, arrival), arrivalName(arrival)).toEqual(end);
});

it("the table of the matrix adds up what its files have counted", () => {
  const file = { combinations: 5, run: 2, lost: 0, leaked: 0, stuck: 1, idle: 0 };
  const table = tableOf([
    { ...file, name: "one", impossible: { "no act": 2, "no look": 1 } },
    { ...file, name: "two", impossible: { "no act": 3 } },
  ]);
  expect(table).toMatch(/^all +10 +6 +4 +0 +0 +2 +0$/m);
  expect(table).toMatch(/^ +5 {2}no act$/m);
  expect(table).toMatch(/^ +1 {2}no look$/m);
});
