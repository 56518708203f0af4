import { SFNClient } from "@aws-sdk/client-sfn";
import type { Workflow } from "../core/kernel/saga/workflow.ts";
import { stepFunctions } from "../core/ports/workflow/step-functions/step-functions.ts";
import { executionArn, stateMachineArn } from "./workflow/arn.ts";

/** The adapter for Step Functions, which calls our engine by AWS's protocol, in process. */
export function localStepFunctions(fetch: (request: Request) => Promise<Response>): Workflow {
  const client = new SFNClient({
    region: "us-east-1",
    endpoint: "http://stepfunctions.local",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    disableHostPrefix: true,
    requestHandler: {
      async handle(request: {
        path: string;
        method: string;
        headers: Record<string, string>;
        body?: string;
      }) {
        const response = await fetch(
          new Request(`http://stepfunctions.local${request.path}`, {
            method: request.method,
            headers: request.headers,
            body: request.body,
          }),
        );
        return {
          response: {
            statusCode: response.status,
            headers: Object.fromEntries(response.headers),
            body: new Uint8Array(await response.arrayBuffer()),
          },
        };
      },
    },
  });
  return stepFunctions(client, { stateMachine: stateMachineArn, execution: executionArn });
}
