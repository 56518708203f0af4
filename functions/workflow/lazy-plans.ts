import type { Workflow } from "../../core/kernel/saga/workflow.ts";
import type { Arns } from "../../core/ports/workflow/step-functions/arns.ts";
import { once } from "../runtime/once.ts";

/** Loads the reader of definitions with the first call: only executions of a former definition need it. */
export function lazyPlans(arns: Pick<Arns, "execution">): Pick<Workflow, "plan"> {
  const plans = once(async () => (await import("./planning.ts")).workflowPlans(arns));
  return { plan: async (saga, operation) => (await plans()).plan(saga, operation) };
}
