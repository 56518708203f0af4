import * as z from "zod";
import type { Deps } from "../core/deps.ts";
import { asOperationId } from "../core/id.ts";
import type { Sagas } from "../core/saga/settle.ts";
import { lookAgain, runStep } from "../core/saga/step.ts";

/** What invokes a worker: a task of Step Functions, or a look for a step that waits. */
const invocation = z.union([
  z.object({
    operation: z.string(),
    step: z.string(),
    token: z.string(),
    failure: z.object({ step: z.string(), error: z.string(), cause: z.string() }).optional(),
  }),
  z.object({ operation: z.string(), step: z.string(), look: z.literal(true) }),
]);

/** The worker function: runs one step, or looks again for one. */
export function worker(
  deps: Deps,
  sagas: Sagas,
): (event: unknown) => Promise<Record<string, never>> {
  return async (event) => {
    const call = invocation.parse(event);
    if ("look" in call) await lookAgain(deps, sagas, asOperationId(call.operation), call.step);
    else await runStep(deps, sagas, call);
    return {};
  };
}
