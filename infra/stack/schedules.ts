import { keyGrant, scheduleGrants } from "../permissions.ts";
import { type Deployed, deployFunction, functionNameOf, type Shared } from "./functions.ts";
import { deadLetters } from "./queues.ts";
import { roleFor } from "./roles.ts";
import { webhooks } from "./webhooks.ts";

/** How often each sweep runs. */
const schedules = {
  due: "rate(1 minute)",
  hubs: "rate(5 minutes)",
  parts: "rate(5 minutes)",
  orphans: "rate(15 minutes)",
  metrics: "rate(5 minutes)",
} as const;

/**
 * What runs by the clock: the sweeps, which are the backstop behind the stream, the bus and the hubs'
 * agents, and the sender of webhooks.
 */
export function scheduled(shared: Shared): {
  sweep: Deployed;
  sender: Deployed;
  failures: aws.sqs.Queue;
} {
  const { stage } = shared;
  const sweep = deployFunction(shared, "sweep", {
    description: "what stream, bus and agents have missed",
    seconds: 300,
    megabytes: 512,
  });
  // An hour that was missed is not made up: the next run sees all of it.
  new aws.lambda.FunctionEventInvokeConfig(
    "SweepRuns",
    {
      functionName: functionNameOf(stage, "sweep"),
      maximumRetryAttempts: 0,
      maximumEventAgeInSeconds: 60,
    },
    { dependsOn: [sweep.function] },
  );
  const sender = webhooks(shared);
  const failures = deadLetters(stage, "schedules");
  const role = roleFor("Schedules", {
    name: `${stage.prefix}-schedules`,
    service: "scheduler.amazonaws.com",
    grants: [...scheduleGrants, ...(stage.key ? [keyGrant] : [])],
    arns: {
      sweep: [sweep.arn],
      webhooks: [sender.arn],
      "dead-letters": [failures.arn],
      ...(stage.key && { key: [stage.key.arn] }),
    },
  });
  const every = (rate: string, name: string, { arn }: Deployed, input: object) =>
    new aws.scheduler.Schedule(
      name.replace(/^./, (letter) => letter.toUpperCase()),
      {
        name: `${stage.prefix}-${name}`,
        scheduleExpression: rate,
        flexibleTimeWindow: { mode: "OFF" },
        target: {
          arn,
          roleArn: role.arn,
          input: JSON.stringify(input),
          retryPolicy: { maximumEventAgeInSeconds: 60, maximumRetryAttempts: 0 },
          deadLetterConfig: { arn: failures.arn },
        },
      },
    );
  for (const [name, rate] of Object.entries(schedules))
    every(rate, `sweep-${name}`, sweep, { sweep: name });
  every("rate(1 minute)", "webhooks", sender, {});
  return { sweep, sender, failures };
}
