import { indexName } from "../../core/kernel/store/dynamodb/table.ts";
import { indexes } from "../../core/kernel/store/store.ts";
import { heartbeatTimeout } from "../../core/placement/hub.ts";
import type { Measures } from "../../core/reconcile/measure.ts";
import { lowFrom } from "../../core/resources/site/pools.ts";
import { dimension, namespace } from "../../functions/runtime/embedded-metrics.ts";
import type { NamedQueue } from "./queues.ts";
import type { Stage } from "./stage.ts";

/** A graph on the dashboard. */
export interface Graph {
  namespace: string;
  metric: string;
  dimensions: Record<string, $util.Input<string>>;
  statistic: "Sum" | "Maximum" | "SampleCount" | "p99";
}

/** A metric to watch, and the condition under which it means trouble. */
export interface Watch extends Graph {
  name: string;
  /** The meaning of the alarm, for the person who is woken. */
  says: string;
  /** The metric means trouble at this value or above, in each of `periods` periods of `seconds`. */
  threshold: number;
  /** The metric means trouble below this value instead, and without any value. */
  below?: true;
  seconds: number;
  periods: number;
}

export interface Watched {
  /** What happens to calls beyond the function's own limit; without one the account's limit applies. */
  functions: { name: string; beyond?: "wait" | "are refused" }[];
  /** The function whose watches wait, and how many may. */
  watch: { name: string; slots: number };
  relay: string;
  /** Functions that run by a schedule, each with the name of the alarm for its silence. */
  clockwork: Record<string, string>;
  table: $util.Input<string>;
  machines: { name: string; arn: $util.Input<string> }[];
  queues: NamedQueue[];
  gateway: $util.Input<string>;
}

export function watches({
  functions,
  watch,
  relay,
  clockwork,
  table,
  machines,
  queues,
  gateway,
}: Watched): Watch[] {
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
      says: "a sweep does not run: nothing finds what was missed",
      metric: "Invocations",
      dimensions: { FunctionName: name },
      threshold: 1,
      below: true as const,
      periods: 3,
    })),
    ...queues.map(({ name, queue }) => ({
      name: `${name}-dead-letters`,
      says: "something could not be handled and waits for a person",
      namespace: "AWS/SQS",
      metric: "ApproximateNumberOfMessagesVisible",
      dimensions: { QueueName: queue.name },
      statistic: "Maximum" as const,
      threshold: 1,
      seconds: 60,
      periods: 1,
    })),
    ...machines.flatMap(({ name, arn }) =>
      ["ExecutionsFailed", "ExecutionsTimedOut", "ExecutionsAborted"].map((metric) => ({
        name: `${name}-${metric}`,
        says: "operations fail or are cancelled",
        namespace: "AWS/States",
        metric,
        dimensions: { StateMachineArn: arn },
        statistic: "Sum" as const,
        // Orders that are rightly refused fail too, so only many failures at once mean trouble. The
        // other ends never should occur.
        threshold: metric === "ExecutionsFailed" ? 5 : 1,
        seconds: 300,
        periods: 1,
      })),
    ),
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
 * The metrics of refused requests. DynamoDB counts a refusal by an index under the index alone, though
 * the table refuses the write too.
 */
function throttles(table: $util.Input<string>): Watch[] {
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

const measured = (stage: Stage, metric: keyof Measures) =>
  ({ namespace, metric, dimensions: { [dimension]: stage.prefix }, statistic: "Maximum" }) as const;

/** Graphs beside those of the watched metrics. */
export const shown = (stage: Stage): Graph[] => [measured(stage, "OperationsRunning")];

/** The metrics that the sweep measures every five minutes. */
export function measures(stage: Stage): Watch[] {
  const twice = { seconds: 300, periods: 2 };
  return [
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
      says: "operations wait for a person",
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

/** The topic of alarms: a given one, or the stage's own. */
export function alarmTopic({ parameters, prefix, key }: Stage): $util.Output<string> {
  const { topic, email } = parameters.alarms;
  if (topic !== undefined) return $util.output(topic);
  const own = new aws.sns.Topic("Alarms", {
    name: `${prefix}-alarms`,
    ...(key && { kmsMasterKeyId: key.id }),
  });
  if (email !== undefined) {
    new aws.sns.TopicSubscription("AlarmsByMail", {
      topic: own.arn,
      protocol: "email",
      endpoint: email,
    });
  }
  return own.arn;
}

export function alarms(stage: Stage, watched: Watch[], topic: $util.Input<string>): void {
  for (const watch of watched) {
    const { statistic } = watch;
    new aws.cloudwatch.MetricAlarm(`Alarm-${watch.name}`, {
      name: `${stage.prefix} ${watch.name}`,
      alarmDescription: watch.says,
      namespace: watch.namespace,
      metricName: watch.metric,
      dimensions: watch.dimensions,
      ...(statistic === "p99" ? { extendedStatistic: statistic } : { statistic }),
      threshold: watch.threshold,
      period: watch.seconds,
      evaluationPeriods: watch.periods,
      ...(watch.below
        ? { comparisonOperator: "LessThanThreshold", treatMissingData: "breaching" }
        : {
            comparisonOperator: "GreaterThanOrEqualToThreshold",
            treatMissingData: "notBreaching",
          }),
      alarmActions: [topic],
      okActions: [topic],
    });
  }
}

/** Reports an operation that waits for a person at once, from its own event. */
export function stuckOperations(
  stage: Stage,
  bus: aws.cloudwatch.EventBus,
  topic: $util.Input<string>,
): void {
  const rule = new aws.cloudwatch.EventRule("Stuck", {
    name: `${stage.prefix}-stuck`,
    eventBusName: bus.name,
    eventPattern: JSON.stringify({
      source: ["slipway"],
      "detail-type": ["slipway.operation.stuck.v1"],
      "replay-name": [{ exists: false }],
    }),
  });
  // A given topic has its own policy, which must let EventBridge publish.
  if (stage.parameters.alarms.topic === undefined) {
    new aws.sns.TopicPolicy("AlarmsPolicy", {
      arn: topic,
      policy: $jsonStringify({
        Version: "2012-10-17",
        Statement: [
          {
            Effect: "Allow",
            Principal: { Service: "events.amazonaws.com" },
            Action: "sns:Publish",
            Resource: topic,
            Condition: { ArnEquals: { "aws:SourceArn": rule.arn } },
          },
          {
            Effect: "Allow",
            Principal: { Service: "cloudwatch.amazonaws.com" },
            Action: "sns:Publish",
            Resource: topic,
            Condition: { StringEquals: { "aws:SourceAccount": stage.account } },
          },
        ],
      }),
    });
  }
  new aws.cloudwatch.EventTarget("Stuck", {
    rule: rule.name,
    eventBusName: bus.name,
    arn: topic,
    inputTransformer: {
      inputPaths: { subject: "$.detail.subject", tenant: "$.detail.tenant" },
      inputTemplate:
        '"<subject> of tenant <tenant> is stuck: look at it, mend what it names, then resume it."',
    },
  });
}
