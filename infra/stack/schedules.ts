import { scheduleGrants } from "../permissions.ts";
import { type Deployed, deployFunction, functionNameOf, type Shared } from "./functions.ts";
import { deadLetters } from "./queues.ts";
import { roleFor } from "./roles.ts";

/** How often each sweep runs. */
const schedules = {
  due: "rate(1 minute)",
  hubs: "rate(5 minutes)",
  parts: "rate(5 minutes)",
  orphans: "rate(15 minutes)",
} as const;

/** The sweeps: the backstop behind the stream, the bus and the hubs' agents. */
export function sweeps(shared: Shared): { sweep: Deployed; failures: aws.sqs.Queue } {
  const { stage } = shared;
  const sweep = deployFunction(shared, "sweep", {
    description: "what stream, bus and agents have missed",
    seconds: 300,
    megabytes: 512,
    environment: [
      "TABLE",
      "STATE_MACHINES",
      "STATE_MACHINE_ALIAS",
      "BUS",
      "CORE_WORKER",
      "HUB_WORKER",
      "SITE_WORKER",
    ],
    // One of each kind; a long one is not joined by a second.
    reserved: 2,
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
  const failures = deadLetters(stage, "schedules");
  const role = roleFor("Schedules", {
    name: `${stage.prefix}-schedules`,
    service: "scheduler.amazonaws.com",
    grants: scheduleGrants,
    arns: { sweep: [sweep.arn], "dead-letters": [failures.arn] },
  });
  for (const [name, rate] of Object.entries(schedules)) {
    new aws.scheduler.Schedule(`Sweep-${name}`, {
      name: `${stage.prefix}-sweep-${name}`,
      scheduleExpression: rate,
      flexibleTimeWindow: { mode: "OFF" },
      target: {
        arn: sweep.arn,
        roleArn: role.arn,
        input: JSON.stringify({ sweep: name }),
        retryPolicy: { maximumEventAgeInSeconds: 60, maximumRetryAttempts: 0 },
        deadLetterConfig: { arn: failures.arn },
      },
    });
  }
  return { sweep, failures };
}
