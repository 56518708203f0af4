import type { Workflow } from "../../core/kernel/saga/workflow.ts";
import type { Arns } from "../../core/ports/workflow/step-functions/arns.ts";
import { once } from "../runtime/once.ts";

/**
 * Loads the client of Step Functions with the first call: it is a tenth of a start, and few runs
 * need it.
 */
export function lazyDescriptions(arns: Arns): Pick<Workflow, "describe"> {
  const descriptions = once(async () => (await import("./describing.ts")).descriptionsOf(arns));
  return { describe: async (saga, operation) => (await descriptions()).describe(saga, operation) };
}
