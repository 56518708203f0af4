import { ExecutionAlreadyExists, type SFNClient, StartExecutionCommand } from "@aws-sdk/client-sfn";
import type { Workflow } from "../../../kernel/saga/workflow.ts";
import type { Arns } from "./arns.ts";
import { asUnavailable } from "./as-unavailable.ts";

export function starting(client: SFNClient, arns: Arns): Pick<Workflow, "start"> {
  return {
    async start(saga, operation) {
      const command = new StartExecutionCommand({
        stateMachineArn: arns.stateMachine(saga),
        name: operation,
        input: JSON.stringify({ operation }),
      });
      // The execution exists already: the same name means the same operation.
      await asUnavailable(client.send(command), (error) => error instanceof ExecutionAlreadyExists);
    },
  };
}
