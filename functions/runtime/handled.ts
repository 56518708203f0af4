import type { Context } from "aws-lambda";
import { watched } from "../../core/outside.ts";
import { sendToDaemon, spanWatch } from "./spans.ts";

/** The run that this process is at. Lambda gives a process one at a time, and calls it anew for each. */
let run: { id?: string; isCold: boolean } = { isCold: true };

/** Whether the process has had a run before. */
let isCold = true;

/**
 * A function's handler, whose log lines say which run they are of, and whose trace has a span of each call of a system
 * outside. Every function exports its handler through this.
 */
export function handled<Event, Answer>(
  handler: (event: Event, context?: Context) => Answer,
): (event: Event, context?: Context) => Answer {
  return (event, context) => {
    run = { isCold, ...(context?.awsRequestId !== undefined && { id: context.awsRequestId }) };
    isCold = false;
    const watch = spanWatch(process.env._X_AMZN_TRACE_ID, { send: sendToDaemon });
    return watch ? watched(watch, () => handler(event, context)) : handler(event, context);
  };
}

/**
 * The members of each line that say which run of which function it is of, by the names that Powertools for AWS Lambda
 * gives them. The trace leads to its lines, and a line to its trace.
 */
export function runMembers(env = process.env): Record<string, unknown> {
  const [, trace] = /Root=([^;]+)/.exec(env._X_AMZN_TRACE_ID ?? "") ?? [];
  return {
    function_name: env.AWS_LAMBDA_FUNCTION_NAME,
    function_version: env.AWS_LAMBDA_FUNCTION_VERSION,
    function_request_id: run.id,
    cold_start: run.isCold,
    xray_trace_id: trace,
  };
}
