import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  InvalidToken,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  type SFNClient,
  StartExecutionCommand,
  TaskDoesNotExist,
  TaskTimedOut,
} from "@aws-sdk/client-sfn";
import { AppError } from "../error.ts";
import type { Workflow } from "./workflow.ts";

/** Longest cause that Step Functions takes. */
const longestCause = 32_768;

/** Where executions are: `arns` gives the state machine of a saga (or its alias) and its executions. */
export interface Arns {
  stateMachine: (saga: string) => string;
  execution: (saga: string, name: string) => string;
}

/** All of the port. Its parts are for functions that do, and may do, only some of it. */
export const stepFunctions = (client: SFNClient, arns: Arns): Workflow => ({
  ...starting(client, arns),
  ...describing(client, arns),
  ...answering(client),
});

export function starting(client: SFNClient, arns: Arns): Pick<Workflow, "start"> {
  return {
    async start(saga, operation) {
      const command = new StartExecutionCommand({
        stateMachineArn: arns.stateMachine(saga),
        name: operation,
        input: JSON.stringify({ operation }),
      });
      // Started before, with the same name and so the same operation.
      await asUnavailable(client.send(command), (error) => error instanceof ExecutionAlreadyExists);
    },
  };
}

function describing(client: SFNClient, arns: Arns): Pick<Workflow, "describe"> {
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

export function answering(client: SFNClient): Pick<Workflow, "succeed" | "fail"> {
  return {
    async succeed(taskToken) {
      const command = new SendTaskSuccessCommand({ taskToken, output: "{}" });
      return (await asUnavailable(client.send(command), isOver)) !== undefined;
    },
    async fail(taskToken, error, cause) {
      const command = new SendTaskFailureCommand({
        taskToken,
        error,
        cause: cause.slice(0, longestCause),
      });
      return (await asUnavailable(client.send(command), isOver)) !== undefined;
    },
  };
}

/** Nobody waits under this token any more. */
const isOver = (error: unknown): boolean =>
  error instanceof TaskTimedOut ||
  error instanceof TaskDoesNotExist ||
  error instanceof InvalidToken;

/** Undefined for errors that are fine; the rest is `Unavailable`: the SDK has retried already. */
async function asUnavailable<T>(
  call: Promise<T>,
  fine: (error: unknown) => boolean,
): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (fine(error)) return undefined;
    throw new AppError("Unavailable", "the workflow engine could not be asked", { cause: error });
  }
}
