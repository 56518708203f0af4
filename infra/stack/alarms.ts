import type { Signal } from "./signals.ts";
import type { Stage } from "./stage.ts";

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

export function alarms(stage: Stage, signals: Signal[], topic: $util.Input<string>): void {
  for (const signal of signals) {
    const { statistic } = signal;
    new aws.cloudwatch.MetricAlarm(`Alarm-${signal.name}`, {
      name: `${stage.prefix} ${signal.name}`,
      alarmDescription: signal.says,
      namespace: signal.namespace,
      metricName: signal.metric,
      dimensions: signal.dimensions,
      ...(statistic === "p99" ? { extendedStatistic: statistic } : { statistic }),
      threshold: signal.threshold,
      period: signal.seconds,
      evaluationPeriods: signal.periods,
      ...(signal.below
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

/** Reports an operation that needs an operator at once, by its own event. */
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
        '"<subject> of tenant <tenant> is stuck: check it, fix what it names, then resume it."',
    },
  });
}
