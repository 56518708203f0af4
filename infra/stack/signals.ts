import { lowFrom } from "../../core/at-site/pools.ts";
import { indexName } from "../../core/kernel/store/dynamodb/table.ts";
import { indexes } from "../../core/kernel/store/store.ts";
import { heartbeatTimeout } from "../../core/placement/hubs/hub.ts";
import type { Measures } from "../../core/reconcile/measure.ts";
import { dimension, namespace } from "../../functions/runtime/embedded-metrics.ts";
import { executionsCutOff } from "../../functions/runtime/operation-metrics.ts";
import type { NamedQueue } from "./queues.ts";
import type { Stage } from "./stage.ts";

/** A graph on the dashboard. */
export interface Graph {
  namespace: string;
  metric: string;
  dimensions: Record<string, $util.Input<string>>;
  statistic: "Sum" | "Maximum" | "SampleCount" | "p99";
}

/** A metric, and the condition that means trouble. */
export interface Signal extends Graph {
  name: string;
  /** The meaning of the alarm, for the person on call. */
  says: string;
  /** The value from which the metric means trouble, in each of `periods` periods of `seconds`. */
  threshold: number;
  /** Whether the metric means trouble below this value instead, and when it has no value. */
  below?: true;
  seconds: number;
  periods: number;
}

/** The sources of a stage's signals. */
export interface SignalSources {
  /** Functions, and what happens to calls beyond their limit; a function without one has the account's limit. */
  functions: { name: string; beyond?: "wait" | "are refused" }[];
  /** The function of watches, and how many may wait. */
  watch: { name: string; slots: number };
  relay: string;
  /** Functions that a schedule calls, by the sweeps' names in alarms. */
  clockwork: Record<string, string>;
  /** The queue of rechecks. */
  rechecks: $util.Input<string>;
  table: $util.Input<string>;
  machines: { name: string; arn: $util.Input<string> }[];
  queues: NamedQueue[];
  gateway: $util.Input<string>;
}

export function signals({
  functions,
  watch,
  relay,
  clockwork,
  rechecks,
  table,
  machines,
  queues,
  gateway,
}: SignalSources): Signal[] {
  const lambda = { namespace: "AWS/Lambda", statistic: "Sum", seconds: 300, periods: 1 } as const;
  const api = { namespace: "AWS/ApiGateway", dimensions: { ApiId: gateway }, seconds: 60 } as const;
  return [
    {
      name: "stream-age",
      says: "the relay is behind: orders do not start, events are late",
      namespace: "AWS/Lambda",
      metric: "IteratorAge",
      dimensions: { FunctionName: relay },
      statistic: "Maximum",
      threshold: 60_000,
      seconds: 60,
      periods: 3,
    },
    ...Object.entries(clockwork).map(([each, name]) => ({
      ...lambda,
      name: `${each}-silent`,
      says: "a sweep is not called: nothing finds what was missed",
      // Schedules call asynchronously; calls with a queue's messages do not count here.
      metric: "AsyncEventsReceived",
      dimensions: { FunctionName: name },
      threshold: 1,
      below: true as const,
      periods: 3,
    })),
    {
      name: "rechecks-late",
      says: "steps are looked at late: their times come faster than they are handled",
      namespace: "AWS/SQS",
      metric: "ApproximateNumberOfMessagesVisible",
      dimensions: { QueueName: rechecks },
      statistic: "Maximum",
      threshold: 1000,
      seconds: 60,
      periods: 5,
    },
    ...queues.map(({ name, queue }) => ({
      name: `${name}-dead-letters`,
      says: "something could not be handled: operator action required",
      namespace: "AWS/SQS",
      metric: "ApproximateNumberOfMessagesVisible",
      dimensions: { QueueName: queue.name },
      statistic: "Maximum" as const,
      threshold: 1,
      seconds: 60,
      periods: 1,
    })),
    ...machines.map(({ name, arn }) => ({
      name: `${name}-ExecutionsFailed`,
      says: "operations fail or are cancelled",
      namespace: "AWS/States",
      metric: "ExecutionsFailed",
      dimensions: { StateMachineArn: arn },
      statistic: "Sum" as const,
      // Rightly refused orders fail too, so only many failures at once mean trouble.
      threshold: 5,
      seconds: 300,
      periods: 1,
    })),
    ...functions.map(({ name }) => ({
      ...lambda,
      name: `${name}-errors`,
      says: "the function throws",
      metric: "Errors",
      dimensions: { FunctionName: name },
      threshold: 5,
    })),
    ...functions.map(({ name, beyond }) => ({
      ...lambda,
      name: `${name}-throttles`,
      says: beyond
        ? `its own limit is reached: calls ${beyond}`
        : "the account's limit of concurrent functions is reached",
      metric: "Throttles",
      dimensions: { FunctionName: name },
      threshold: beyond === "wait" ? 100 : 1,
    })),
    {
      name: "watch-full",
      says: "the limit of watches is reached: further watches are answered 503",
      namespace: "AWS/Lambda",
      metric: "ConcurrentExecutions",
      dimensions: { FunctionName: watch.name },
      statistic: "Maximum",
      threshold: watch.slots,
      seconds: 60,
      periods: 5,
    },
    {
      ...api,
      name: "api-5xx",
      says: "the API fails, or watches are refused (watch-full)",
      metric: "5xx",
      statistic: "Sum",
      threshold: 5,
      periods: 2,
    },
    {
      ...api,
      name: "api-latency",
      says: "one request in a hundred takes too long; watches alone take 25 s",
      metric: "Latency",
      statistic: "p99",
      threshold: 28_000,
      periods: 5,
    },
    ...throttles(table),
  ];
}

/**
 * The metrics of throttled requests. DynamoDB counts a refusal by an index for the index only, though the table
 * refuses the write too.
 */
function throttles(table: $util.Input<string>): Signal[] {
  const places = [
    { name: "table", dimensions: { TableName: table } },
    ...indexes.map(indexName).map((index) => ({
      name: `table-${index}`,
      dimensions: { TableName: table, GlobalSecondaryIndexName: index },
    })),
  ];
  return places.flatMap(({ name, dimensions }) =>
    ["ReadThrottleEvents", "WriteThrottleEvents"].map((metric) => ({
      name: `${name}-${metric}`,
      says: "the table refuses work: a hot partition, or the account's limit",
      namespace: "AWS/DynamoDB",
      metric,
      dimensions,
      statistic: "Sum" as const,
      threshold: 10,
      seconds: 60,
      periods: 5,
    })),
  );
}

const measured = (stage: Stage, metric: keyof Measures | typeof executionsCutOff) =>
  ({ namespace, metric, dimensions: { [dimension]: stage.prefix }, statistic: "Maximum" }) as const;

/** Graphs besides those of the signals. */
export const shown = (stage: Stage): Graph[] => [measured(stage, "OperationsRunning")];

/**
 * The metrics that functions write into their logs: the sweep's every five minutes, and those of the function for
 * executions that did not succeed.
 */
export function measuredSignals(stage: Stage): Signal[] {
  const twice = { seconds: 300, periods: 2 };
  return [
    {
      ...measured(stage, executionsCutOff),
      name: "executions-cut-off",
      says: "an execution was aborted or timed out, which never should be",
      statistic: "Sum",
      threshold: 1,
      seconds: 300,
      periods: 1,
    },
    {
      ...measured(stage, "OperationsRunning"),
      name: "measures-silent",
      says: "nothing is measured: no alarm of these measures can go off",
      statistic: "SampleCount",
      threshold: 1,
      below: true,
      seconds: 300,
      periods: 3,
    },
    {
      ...measured(stage, "OperationsStuck"),
      name: "operations-stuck",
      says: "operations need an operator",
      threshold: 1,
      ...twice,
    },
    {
      ...measured(stage, "OperationsStalled"),
      name: "operations-stalled",
      says: "many operations take longer than they should: something they share is slow",
      threshold: 10,
      ...twice,
    },
    {
      ...measured(stage, "TokenAge"),
      name: "token-age",
      says: "a step has waited for an hour, and longer than it should",
      threshold: 3600,
      ...twice,
    },
    {
      ...measured(stage, "HeartbeatAge"),
      name: "hub-heartbeat",
      says: "a hub's agent is silent: the hub gets no new orders",
      threshold: heartbeatTimeout / 1000,
      ...twice,
    },
    {
      ...measured(stage, "HubsUnreached"),
      name: "hub-unreached",
      says: "a hub cannot be reached: it gets no new orders, and what runs there waits",
      threshold: 1,
      ...twice,
    },
    {
      ...measured(stage, "PoolUse"),
      name: "pool-use",
      says: "a pool of numbers of a site is nearly used up",
      threshold: 100 * lowFrom,
      ...twice,
    },
  ];
}
