import type { Workflow } from "../../core/kernel/saga/workflow.ts";
import { once } from "../runtime/once.ts";

/**
 * Loads the client of Step Functions with the first call: it is a tenth of a start, and few runs
 * need it.
 */
export function lazyAnswers(): Pick<Workflow, "succeed" | "fail"> {
  const answers = once(async () => (await import("./answering.ts")).answers);
  return {
    succeed: async (token) => (await answers()).succeed(token),
    fail: async (token, error, cause) => (await answers()).fail(token, error, cause),
  };
}
