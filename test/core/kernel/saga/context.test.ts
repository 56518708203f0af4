import { describe, expect, it } from "vitest";
import { AppError } from "../../../../core/error.ts";
import type { OperationId } from "../../../../core/id.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import { type StepContext, stepContext } from "../../../../core/kernel/saga/context.ts";
import { newEntry } from "../../../../core/kernel/saga/entry.ts";
import type { Target } from "../../../../core/kernel/saga/operated.ts";
import type { Operation } from "../../../../core/kernel/saga/operation.ts";
import { edit } from "../../../../core/kernel/saga/settle.ts";
import { TransactionRefused } from "../../../../core/kernel/store/store.ts";
import type { TestDeps } from "../../../support/deps.ts";
import { toyDeps } from "../../../support/toy/deps.ts";
import { orderToy, toyId } from "../../../support/toy/orders.ts";

/** What an attempt may still do when something has happened between its reads and its effect. */

const step = "Paint";
const attempt = "attempt-1";

const withAttempt = (operation: Operation, newest?: string): Operation => ({
  ...operation,
  steps: { [step]: { ...newEntry(0), state: "RUNNING", ...(newest && { attempt: newest }) } },
});
const cancelled =
  (preempted: boolean) =>
  (operation: Operation): Operation => ({
    ...operation,
    cancel: { at: "2026-01-01T00:00:00.000Z", by: "alice", preempted },
  });
const inState =
  (state: Operation["status"]["state"]) =>
  (operation: Operation): Operation => ({ ...operation, status: { ...operation.status, state } });

interface Case {
  /** What happens to the operation. */
  happens: (operation: Operation) => Operation;
  /** Who may no longer guard its calls outside, and who may no longer write the store. */
  guard?: readonly ("do" | "undo")[];
  fence?: readonly ("do" | "undo")[];
  change?: readonly ("do" | "undo")[];
}

const both = ["do", "undo"] as const;
const all = { guard: both, fence: both, change: both };
const turns = { guard: ["do"], fence: ["do"] } as const;
const cases: Record<string, Case> = {
  "nothing happens": { happens: (operation) => operation },
  "the operation is asked to stop": { happens: cancelled(false), ...turns },
  "a deletion comes first": { happens: cancelled(true), ...turns },
  "the operation turns back": { happens: (each) => ({ ...each, unwinding: true }), ...turns },
  "a newer attempt begins": { happens: (each) => withAttempt(each, "attempt-2"), ...all },
  "the step ends": { happens: (each) => withAttempt(each), ...all },
  "the operation has ended": { happens: inState("FAILED"), fence: ["do"] },
  "the operation is stuck": { happens: inState("STUCK"), fence: ["do"] },
};

async function running(): Promise<{ deps: TestDeps; operation: Operation }> {
  const deps = toyDeps();
  const id = await orderToy(deps);
  const operation = await edit(deps, id, (each) => withAttempt(inState("RUNNING")(each), attempt));
  return { deps, operation };
}

const contextOf = (deps: TestDeps, operation: Operation, undo: boolean): StepContext<Target> =>
  stepContext(deps, { id: attempt, operation, name: step, undo }, new AbortController().signal);

/** `refused`, or what else came of it. */
const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "done",
    (error) => {
      const isRefused =
        error instanceof TransactionRefused ||
        (error instanceof AppError && error.kind === "Cancelled");
      return isRefused ? "refused" : String(error);
    },
  );

describe.each(both)("an attempt of a %s", (way) => {
  it.each(Object.entries(cases))("when %s", async (_, { happens, guard, fence, change }) => {
    const { deps, operation } = await running();
    const context = contextOf(deps, operation, way === "undo");
    const checks = context.fence();
    await edit(deps, operation.id, (each) => happens(each));
    const expected = (refused: Case["guard"] = []) => (refused.includes(way) ? "refused" : "done");
    expect({
      guard: await outcome(context.guard()),
      fence: await outcome(deps.store.transact([...checks, { put: { pk: "claim", sk: "-" } }])),
      change: await outcome(context.change((toy) => ({ ...toy, generation: 7 }))),
    }).toEqual({ guard: expected(guard), fence: expected(fence), change: expected(change) });
    const made = await deps.store.get({ pk: "claim", sk: "-" });
    expect(made !== undefined).toBe(expected(fence) === "done");
    const { generation } = await mustLoad(deps, "toy", toyId);
    expect(generation).toBe(expected(change) === "done" ? 7 : 0);
  });

  it("when the operation is gone", async () => {
    const { deps, operation } = await running();
    const context = contextOf(deps, operation, way === "undo");
    await deps.store.transact([{ delete: { pk: `operation#${operation.id}`, sk: "-" } }]);
    const writes = [...context.fence(), { put: { pk: "claim", sk: "-" } }];
    await expect(deps.store.transact(writes)).rejects.toThrow(TransactionRefused);
  });

  it.each(["another operation", "none"])("when the target has %s", async (which) => {
    const { deps, operation } = await running();
    const context = contextOf(deps, operation, way === "undo");
    await changeObject(deps, "toy", toyId, ({ operation: _, ...toy }) => ({
      ...toy,
      ...(which === "none" ? {} : { operation: "another" as OperationId }),
    }));
    await context.change((toy) => ({ ...toy, generation: 7 }));
    expect((await mustLoad(deps, "toy", toyId)).generation).toBe(0);
  });
});

it("an attempt whose time is up makes no further call", async () => {
  const { deps, operation } = await running();
  const over = AbortSignal.abort();
  const context = stepContext(deps, { id: attempt, operation, name: step, undo: false }, over);
  await expect(context.guard()).rejects.toMatchObject({ kind: "Unavailable" });
});
