import type { Arns } from "../../core/ports/workflow/step-functions/arns.ts";
import type { Workflow } from "../../core/ports/workflow/workflow.ts";
import { once } from "../once.ts";

/** Loaded with the first call: the client of Step Functions is a tenth of a start, and few runs ask it. */
export function descriptionsWhenNeeded(arns: Arns): Pick<Workflow, "describe"> {
  const descriptions = once(async () => (await import("./describing.ts")).descriptionsOf(arns));
  return { describe: async (saga, operation) => (await descriptions()).describe(saga, operation) };
}
