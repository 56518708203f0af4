import {
  DescribeExecutionCommand,
  ExecutionDoesNotExist,
  type SFNClient,
} from "@aws-sdk/client-sfn";
import type { Workflow } from "../../../kernel/saga/workflow.ts";
import type { Arns } from "./arns.ts";
import { asUnavailable } from "./as-unavailable.ts";

export function describing(client: SFNClient, arns: Arns): Pick<Workflow, "describe"> {
  return {
    async describe(saga, operation) {
      const command = new DescribeExecutionCommand({
        executionArn: arns.execution(saga, operation),
      });
      const found = await asUnavailable(
        client.send(command),
        (error) => error instanceof ExecutionDoesNotExist,
      );
      if (!found?.status) return undefined;
      return {
        state: found.status,
        ...(found.error ? { error: found.error } : {}),
        ...(found.cause ? { cause: found.cause } : {}),
      };
    },
  };
}
