import type { Workflow } from "../../core/kernel/saga/workflow.ts";
import type { Arns } from "../../core/ports/workflow/step-functions/arns.ts";
import { once } from "../runtime/once.ts";

/**
 * Loads the client of Step Functions with the first call: it is a tenth of a start, and few runs
 * need it.
 */
export function lazyStarts(arns: Arns): Pick<Workflow, "start"> {
  const starts = once(async () => (await import("./starting.ts")).startsOf(arns));
  return { start: async (saga, operation) => (await starts()).start(saga, operation) };
}
