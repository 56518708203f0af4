import { expect, it } from "vitest";
import { timestamp } from "../../../../core/clock.ts";
import { overdueFrom } from "../../../../core/kernel/saga/operation.ts";
import { beyondEstimate } from "../../../../core/kernel/saga/status.ts";
import { waitInWords } from "../../../../core/kernel/saga/wait.ts";

/** How late an operation is, and what a wait says of its tries. */

const at = (minute: number) => timestamp(minute * 60_000);

it.each<[string, object, string | undefined]>([
  ["runs", { state: "RUNNING", usual_end: at(30) }, at(30)],
  ["runs without an estimate", { state: "RUNNING" }, undefined],
  ["waits", { state: "WAITING", usual_end: at(30), waiting_since: at(1), away_at: at(2) }, at(30)],
  [
    "has been tried in vain for ten minutes",
    { state: "RUNNING", usual_end: at(30), waiting_since: at(1), away_at: at(2) },
    at(11),
  ],
  [
    "is tried in vain near its usual end",
    { state: "RUNNING", usual_end: at(5), waiting_since: at(1), away_at: at(2) },
    at(5),
  ],
  [
    "was tried in vain, and answers",
    { state: "RUNNING", usual_end: at(30), waiting_since: at(1) },
    at(30),
  ],
  ["is tried for the first time", { state: "RUNNING", usual_end: at(30), away_at: at(2) }, at(30)],
  [
    "is tried without an estimate",
    { state: "RUNNING", waiting_since: at(1), away_at: at(2) },
    undefined,
  ],
])("a step that %s is overdue from then", (_, entry, from) => {
  expect(overdueFrom(entry as never)).toBe(from);
});

it.each<[string, object, number, object]>([
  ["without an estimate", { status: {} }, 100, {}],
  ["before it", { status: {}, estimate: at(10) }, 9 * 60_000, {}],
  ["at it", { status: {}, estimate: at(10) }, 10 * 60_000, {}],
  ["less than a second later", { status: {}, estimate: at(10) }, 10 * 60_000 + 999, {}],
  [
    "later",
    { status: {}, estimate: at(10) },
    10 * 60_000 + 61_500,
    { estimate_beyond_seconds: 61 },
  ],
  ["after its end", { status: { end_time: at(11) }, estimate: at(10) }, 20 * 60_000, {}],
])("an operation is beyond its estimate: %s", (_, operation, now, shown) => {
  expect(beyondEstimate(operation as never, now)).toEqual(shown);
});

const wait = { system: "fabric", message: "the fabric is silent" };
const tried = { ...wait, attempts: 3, last_attempt_time: at(58) };
it.each<[object, string]>([
  [wait, "the fabric is silent"],
  [{ ...wait, call: "GET /x" }, "the fabric is silent"],
  [tried, "the fabric is silent (3 attempts, last 2 min ago)"],
  [{ ...tried, attempts: 1 }, "the fabric is silent (1 attempt, last 2 min ago)"],
  [{ ...tried, call: "GET /x" }, "fabric did not answer GET /x (3 attempts, last 2 min ago)"],
  [
    { ...tried, call: "GET /x", instance: "hub-a" },
    "hub-a did not answer GET /x (3 attempts, last 2 min ago)",
  ],
  [
    { ...tried, next_attempt_time: at(68) },
    "the fabric is silent (3 attempts, last 2 min ago); next attempt within 8 min",
  ],
  [{ ...tried, next_attempt_time: at(60) }, "the fabric is silent (3 attempts, last 2 min ago)"],
  [
    { ...tried, last_attempt_time: at(61), next_attempt_time: at(60 + 119) },
    "the fabric is silent (3 attempts, last 0 min ago); next attempt within 119 min",
  ],
  [
    { ...tried, next_attempt_time: at(60 + 190) },
    "the fabric is silent (3 attempts, last 2 min ago); next attempt within 3 h",
  ],
])("the wait %j says %s", (of, words) => {
  expect(waitInWords(of as never, 60 * 60_000)).toBe(words);
});
