import { expect, it } from "vitest";
import { AppError } from "../../../../core/error.ts";
import { type Saga, saga } from "../../../../core/kernel/saga/action.ts";
import { decideEnd, type Result } from "../../../../core/kernel/saga/decide-end.ts";
import { withEntry } from "../../../../core/kernel/saga/entry.ts";
import type { Operation, StepEntry } from "../../../../core/kernel/saga/operation.ts";
import { phase, step } from "../../../../core/kernel/saga/saga.ts";
import {
  accept,
  openToyLaptop,
  operationOf,
  type ToyAction,
  toySaga,
} from "../../../support/toy/laptop.ts";

/** What the result of a step means for its operation. */

const action: ToyAction = { deadline: 60_000, act: async () => {} };
const row = (name: string) => step<ToyAction>(name, action, action);
const forward = toySaga([row("A"), row("B")]);
const walked: Saga = saga("toy", {
  comment: "a deletion of a test",
  irreversible: true,
  nodes: [
    phase(
      "All",
      ...["A", "B"].map((name) => step<ToyAction>(name, action, { none: "a deletion" })),
    ),
  ],
});

const running: Partial<StepEntry> = {
  state: "RUNNING",
  attempt: "one",
  token: "a-token",
  leases: { one: Date.parse("2100-01-01T00:00:00Z") },
};
const refused = new AppError("Rejected", "the fabric says no");
const away = new AppError("Unavailable", "the fabric does not answer");
const cancel = { at: "2026-01-01T00:00:00Z", by: "ann", preempted: false };

interface Case {
  of?: Saga;
  step?: string;
  entries?: Record<string, Partial<StepEntry>>;
  more?: Partial<Operation>;
  result?: Result;
}

async function ended({ of = forward, step: name = "A", entries, more, result = {} }: Case) {
  const laptop = openToyLaptop({ sagas: { toy: of } });
  const fresh = await operationOf(laptop, await accept(laptop));
  const before = Object.entries(entries ?? { [name]: running }).reduce<Operation>(
    (operation, [at, entry]) =>
      withEntry(operation, at, { position: 0, attempts: 1, state: "RUNNING", ...entry }),
    { ...fresh, ...more },
  );
  const end = decideEnd(laptop.deps, of, before, name, result);
  const { state, leases } = end.after.steps[name] ?? {};
  return { ...end, state, leases, after: undefined };
}

const doneA = { A: { state: "SUCCEEDED" as const }, B: running };

it.each<[string, Case, object]>([
  ["a do that is done", {}, { is: "step ended", state: "SUCCEEDED" }],
  [
    "a do with nothing to do",
    { result: { skipped: true } },
    { is: "step ended", state: "SKIPPED" },
  ],
  ["a do that is refused", { result: { error: refused } }, { is: "turned back", error: refused }],
  [
    "a do whose system is unreachable",
    { result: { error: away } },
    { is: "retried", error: away, tokens: ["a-token"] },
  ],
  [
    "an undo that is refused",
    { step: "Undo A", result: { error: refused } },
    { is: "step ended", state: "FAILED" },
  ],
  [
    "a step of a deletion that is refused",
    { of: walked, result: { error: refused } },
    { is: "step ended", state: "FAILED" },
  ],
  ["a step of a phase", { of: walked }, { is: "passed", next: "B" }],
  ["the last step", { step: "B", entries: doneA }, { is: "saga ended", failure: undefined }],
  [
    "the last step, with another left out",
    { step: "B", entries: { B: running } },
    { is: "saga ended", failure: expect.objectContaining({ step: "A", kind: "Internal" }) },
  ],
  [
    "the last step, once it was cancelled",
    { step: "B", entries: doneA, more: { cancel } },
    { is: "turned back", error: expect.objectContaining({ kind: "Cancelled" }) },
  ],
  [
    "the last step of a deletion, once it was cancelled",
    { of: walked, step: "B", entries: doneA, more: { cancel } },
    { is: "saga ended", failure: undefined },
  ],
  ["a step that has ended", { entries: { A: { state: "SUCCEEDED" } } }, { is: "nothing" }],
  [
    "an attempt that a newer one has replaced",
    { entries: { A: { ...running, attempt: "two" } }, result: { attempt: "one" } },
    { is: "lease returned", state: "RUNNING", leases: undefined },
  ],
  [
    "a result for an entry that has moved on",
    { result: { as: { state: "WAITING" } } },
    { is: "nothing", state: "RUNNING" },
  ],
])("%s", async (_, given, expected) => {
  expect(await ended(given)).toMatchObject(expected);
});
