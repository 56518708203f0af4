import { planInDefinition } from "../core/kernel/saga/plan-in-definition.ts";
import type { Workflow } from "../core/kernel/saga/workflow.ts";
import { executionArn } from "../local/workflow/arn.ts";
import type { WorkflowEngine } from "../local/workflow/engine.ts";
import { ServiceError } from "../local/workflow/errors.ts";

/**
 * The workflow port, directly on the engine. The adapter for Step Functions signs and parses each call as on AWS; that
 * is tested elsewhere, and would be a tenth of the cost of a simulated order.
 */
export function engineWorkflow(engine: WorkflowEngine): Workflow {
  return {
    async start(saga, operation) {
      const input = JSON.stringify({ operation });
      unless(["ExecutionAlreadyExists"], () => engine.startExecution(saga, operation, input));
    },
    async describe(saga, operation) {
      const arn = executionArn(saga, operation);
      const found = unless(["ExecutionDoesNotExist"], () => engine.describe(arn));
      if (!found) return undefined;
      const { status: state, error, cause } = found;
      return { state, ...(error && { error }), ...(cause && { cause }) };
    },
    async plan(saga, operation) {
      const arn = executionArn(saga, operation);
      const found = unless(["ExecutionDoesNotExist"], () => engine.describeFor(arn));
      return found && planInDefinition(found.text);
    },
    async succeed(token) {
      return answers(() => engine.sendTaskSuccess(token, "{}"));
    },
    async fail(token, error, cause) {
      return answers(() => engine.sendTaskFailure(token, error, cause));
    },
  };
}

/** Answers a task; false when the task does not wait any more. */
const answers = (send: () => void): boolean =>
  unless(["TaskTimedOut", "TaskDoesNotExist", "InvalidToken"], () => {
    send();
    return true;
  }) ?? false;

/** The result of the work; undefined for these errors. */
function unless<T>(errors: readonly string[], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof ServiceError && errors.includes(error.name)) return undefined;
    throw error;
  }
}
