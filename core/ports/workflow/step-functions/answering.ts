import {
  InvalidToken,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  type SFNClient,
  TaskDoesNotExist,
  TaskTimedOut,
} from "@aws-sdk/client-sfn";
import type { Workflow } from "../../../kernel/saga/workflow.ts";
import { asUnavailable } from "./as-unavailable.ts";

/** The longest failure cause that Step Functions accepts. */
const longestCause = 32_768;

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

/** Whether no task waits with this token any more. */
const isOver = (error: unknown): boolean =>
  error instanceof TaskTimedOut ||
  error instanceof TaskDoesNotExist ||
  error instanceof InvalidToken;
