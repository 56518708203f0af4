import type { OperationId } from "../../core/id.ts";
import type { StepDeps } from "../../core/kernel/saga/context.ts";
import { stepContext } from "../../core/kernel/saga/context.ts";
import { entryOf, withEntry } from "../../core/kernel/saga/entry.ts";
import { isOpen } from "../../core/kernel/saga/operation.ts";
import { edit } from "../../core/kernel/saga/settle.ts";

/** What a step of a running operation is given, in a new attempt at it. */
export async function attemptAt(deps: StepDeps, id: OperationId, step: string) {
  const attempt = deps.newId();
  const operation = await edit(deps, id, (before) => {
    const entry = entryOf(before, step);
    return withEntry(before, step, {
      ...entry,
      state: isOpen(entry) ? entry.state : "RUNNING",
      attempt,
    });
  });
  const running = { id: attempt, operation, name: step, undo: false };
  return stepContext(deps, running, new AbortController().signal);
}
