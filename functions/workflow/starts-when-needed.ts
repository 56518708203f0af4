import type { Arns } from "../../core/ports/workflow/step-functions/arns.ts";
import type { Workflow } from "../../core/ports/workflow/workflow.ts";
import { once } from "../once.ts";

/** Loaded with the first call: the client of Step Functions is a tenth of a start, and few runs ask it. */
export function startsWhenNeeded(arns: Arns): Pick<Workflow, "start"> {
  const starts = once(async () => (await import("./starting.ts")).startsOf(arns));
  return { start: async (saga, operation) => (await starts()).start(saga, operation) };
}
