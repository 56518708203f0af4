import type { Arns } from "../../core/workflow/step-functions/arns.ts";
import type { Workflow } from "../../core/workflow/workflow.ts";
import { once } from "../once.ts";

/**
 * Step Functions for those that ask it in few of their runs: its client is loaded with the first call,
 * since it is a tenth of a start.
 */

export function answersWhenNeeded(): Pick<Workflow, "succeed" | "fail"> {
  const answers = once(async () => (await import("./answering.ts")).answers);
  return {
    succeed: async (token) => (await answers()).succeed(token),
    fail: async (token, error, cause) => (await answers()).fail(token, error, cause),
  };
}

export function startsWhenNeeded(arns: Arns): Pick<Workflow, "start"> {
  const starts = once(async () => (await import("./starting.ts")).startsOf(arns));
  return { start: async (saga, operation) => (await starts()).start(saga, operation) };
}

export function descriptionsWhenNeeded(arns: Arns): Pick<Workflow, "describe"> {
  const descriptions = once(async () => (await import("./describing.ts")).descriptionsOf(arns));
  return { describe: async (saga, operation) => (await descriptions()).describe(saga, operation) };
}
