import { keyGrant, scheduleGrants } from "../permissions.ts";
import { due as dueFunction } from "./due.ts";
import { type Deployed, deployFunction, keepFailures, type Shared } from "./functions.ts";
import { deadLetters } from "./queues.ts";
import { roleFor } from "./roles.ts";
import { arnOf } from "./stage.ts";
import { webhooks } from "./webhooks.ts";

/** How often each sweep runs. */
const sweeps = {
  hubs: "rate(5 minutes)",
  parts: "rate(5 minutes)",
  orphans: "rate(15 minutes)",
  metrics: "rate(5 minutes)",
} as const;

/**
 * Scheduled calls: the sweeps, which cover what stream, bus and hub agents miss, and the webhooks' sender. No run
 * is retried, since the next run does the same work. Failed runs, and runs that found no free run in time, go
 * to dead letters.
 */
export function scheduled(shared: Shared): {
  due: Deployed;
  sweep: Deployed;
  sender: Deployed;
  failures: aws.sqs.Queue;
} {
  const { stage } = shared;
  const due = dueFunction(shared);
  const sweep = deployFunction(shared, "sweep", {
    description: "has hubs and sites swept, and measures",
    seconds: 300,
  });
  keepFailures(sweep, "Sweep", 0, 300);
  const sender = webhooks(shared);
  const failures = deadLetters(stage, "schedules");
  const role = roleFor(stage, "Schedules", {
    name: `${stage.prefix}-schedules`,
    service: "scheduler.amazonaws.com",
    source: arnOf(stage, "scheduler", "schedule-group/default"),
    grants: [...scheduleGrants, ...(stage.key ? [keyGrant] : [])],
    arns: {
      due: [due.arn],
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
  every("rate(1 minute)", "sweep-due", due, {});
  for (const [name, rate] of Object.entries(sweeps))
    every(rate, `sweep-${name}`, sweep, { sweep: name });
  every("rate(1 minute)", "webhooks", sender, {});
  return { due, sweep, sender, failures };
}
