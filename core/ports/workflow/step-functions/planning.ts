import {
  DescribeStateMachineForExecutionCommand,
  ExecutionDoesNotExist,
  type SFNClient,
} from "@aws-sdk/client-sfn";
import { planInDefinition } from "../../../kernel/saga/plan-in-definition.ts";
import type { Workflow } from "../../../kernel/saga/workflow.ts";
import type { Arns } from "./arns.ts";
import { asUnavailable } from "./as-unavailable.ts";

/** Reads the definition of an execution, even after the state machine has got another one. */
export function planning(client: SFNClient, arns: Pick<Arns, "execution">): Pick<Workflow, "plan"> {
  return {
    async plan(saga, operation) {
      const command = new DescribeStateMachineForExecutionCommand({
        executionArn: arns.execution(saga, operation),
      });
      const found = await asUnavailable(
        client.send(command),
        (error) => error instanceof ExecutionDoesNotExist,
      );
      return found?.definition === undefined ? undefined : planInDefinition(found.definition);
    },
  };
}
