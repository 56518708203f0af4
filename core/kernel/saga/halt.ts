import { bounds, cut } from "../../bounds.ts";
import { AppError } from "../../error.ts";
import { asOperationId } from "../../id.ts";
import { mustLoad } from "../object/records.ts";
import { optimistically } from "../store/optimistically.ts";
import { endWrites, isReleased } from "./end.ts";
import { withOpenFailed } from "./entry.ts";
import type { OperatedDeps } from "./operated.ts";
import { isEnded, type Operation } from "./operation.ts";
import { type Shapes, sagaOf } from "./settle.ts";
import type { Execution } from "./workflow.ts";

/** The error of an operation whose execution ended without ending it; `execution` is undefined if there is none. */
export function endedUnseen(execution: Execution | undefined): AppError {
  const detail = execution ? `${execution.state} ${execution.cause ?? ""}`.trim() : "there is none";
  return new AppError("Internal", "it was cut off by a fault inside Slipway", { detail });
}

/**
 * Ends an operation whose execution has ended without it (aborted, timed out), or that cannot continue at a `step`: the
 * operation is FAILED, with the failure that it had turned back on, if any. Its claims stay with its target until that
 * is changed, retried or deleted. An ended operation does not change. Throws NotFound if there is no such operation.
 */
export async function halt(
  deps: OperatedDeps,
  shapes: Shapes,
  id: string,
  error: AppError,
  step?: string,
): Promise<void> {
  const cutOff = await optimistically(deps.store, async () => {
    const operation = await mustLoad(deps, "operation", asOperationId(id));
    if (isEnded(operation)) return { writes: [], result: false };
    const running = Object.entries(operation.steps).findLast(
      ([, entry]) => entry.state !== "PENDING",
    );
    const closed = withOpenFailed(deps, operation, Object.keys(operation.steps), error);
    const saga = sagaOf(shapes, operation);
    // Without the step's code, it is unknown whether the operation holds claims.
    const given_back = step === undefined && isReleased(saga, closed);
    const failure = {
      step: operation.failure?.step ?? step ?? running?.[0] ?? "",
      kind: operation.failure?.kind ?? error.kind,
      message: wordsOf(operation, { error, step, given_back }),
      given_back,
    };
    return {
      writes: await endWrites(deps, saga, operation, closed, failure),
      result: true,
    };
  });
  if (cutOff)
    deps.log.error({ operation: id, detail: error.detail }, "an execution ended before its saga");
}

/**
 * The message: the failure that the operation had turned back on, if any; why the unwinding did not end; and what to do
 * about its claims.
 */
function wordsOf(
  { failure, spec, cancel }: Operation,
  { error, step, given_back }: { error: AppError; step: string | undefined; given_back: boolean },
): string {
  const why = cut(error.message, bounds.line);
  const cutOff = failure && step !== undefined ? `at ${step}: ${why}` : why;
  // The error of a step without code says what to do, and a deletion that follows releases everything.
  const isTold = given_back || step !== undefined || cancel?.preempted === true;
  const remedy = isTold ? "" : `; ${remedyOf(spec)}`;
  const end = failure && given_back ? "" : `${cutOff}${remedy}`;
  // If both are too long, the first is cut, because the second says what to do.
  const first = failure && cut(failure.message, bounds.reason - Buffer.byteLength(`; ${end}`));
  return cut([first, end].filter((part) => part).join("; "), bounds.reason);
}

const remedyOf = ({ change }: Operation["spec"]): string =>
  change === "DELETE"
    ? "the rest of it is not released: delete it again to continue"
    : "what it has allocated is not released: retry it, or delete it to release everything";
