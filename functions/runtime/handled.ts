import type { Context } from "aws-lambda";
import { watched } from "../../core/outside.ts";
import { sendToDaemon, spanWatch } from "./spans.ts";

/** The present run. Lambda gives a process one run at a time. */
let run: { id?: string; isCold: boolean } = { isCold: true };

/** Whether this is the first run of the process. */
let isCold = true;

/**
 * A function's handler. Its log lines name their run, and its trace has a span for each call of an outside system.
 * Every function exports its handler through this.
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
 * The members of each log line that name its function and run, as Powertools for AWS Lambda calls them. They
 * connect a trace with its lines.
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
