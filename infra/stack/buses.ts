import * as z from "zod";
import { eventSchema } from "../../core/kernel/events/events.ts";
import { reportType } from "../../core/ports/bus/hub-source.ts";
import { reportsPolicy } from "../hub-reports.ts";
import { type Deployed, deployFunction, keepFailures, type Shared } from "./functions.ts";
import { machinesPrefix } from "./machine-names.ts";
import { allowFrom, deadLetters, encryptedBySqs, type NamedQueue } from "./queues.ts";
import { trustIn } from "./roles.ts";
import { arnOf, type Stage } from "./stage.ts";

/** A bus, and the queue of events that it failed to handle. */
export interface Bus {
  bus: aws.cloudwatch.EventBus;
  failures: NamedQueue[];
}

/**
 * Creates a bus. A bus with the stage's own key would lose events that it cannot encrypt, so it has a queue for
 * them, encrypted by another key.
 */
function openBus(logical: "Bus" | "HubsBus", stage: Stage, name: string): Bus {
  const { key } = stage;
  if (!key) return { bus: new aws.cloudwatch.EventBus(logical, { name }), failures: [] };
  const called = logical === "Bus" ? "bus" : "hubs-bus";
  const queue = deadLetters(stage, called, encryptedBySqs);
  const policy = allowFrom(logical, queue, [
    { service: "events.amazonaws.com", source: arnOf(stage, "events", `event-bus/${name}`) },
  ]);
  const bus = new aws.cloudwatch.EventBus(
    logical,
    { name, kmsKeyIdentifier: key.arn, deadLetterConfig: { arn: queue.arn } },
    { dependsOn: [policy] },
  );
  return { bus, failures: [{ name: called, queue }] };
}

/** The integrators' bus: every event of every object, archived for a while for replays. */
export function integratorsBus(stage: Stage): Bus {
  const { bus, failures } = openBus("Bus", stage, stage.prefix);
  // An archive of an encrypted bus needs a key that EventBridge may use on its own.
  new aws.cloudwatch.EventArchive("Archive", {
    name: stage.prefix,
    eventSourceArn: bus.arn,
    retentionDays: stage.parameters.events.archiveDays,
    ...(stage.key && { kmsKeyIdentifier: stage.key.arn }),
  });
  const registry = new aws.schemas.Registry("Schemas", { name: stage.prefix });
  new aws.schemas.Schema("EventSchema", {
    name: "slipway-event",
    registryName: registry.name,
    type: "JSONSchemaDraft4",
    content: JSON.stringify(z.toJSONSchema(eventSchema, { target: "draft-4" })),
  });
  return { bus, failures };
}

/**
 * HTTPS endpoints that get every event, or events of some types; answers the queues of events that an
 * endpoint did not accept.
 */
export function destinations(stage: Stage, bus: aws.cloudwatch.EventBus): NamedQueue[] {
  return stage.parameters.events.destinations.map(({ name, url, header, secret, types }) => {
    const key = aws.secretsmanager.getSecretVersionOutput({ secretId: secret }).secretString;
    const connection = new aws.cloudwatch.EventConnection(`Destination-${name}`, {
      name: `${stage.prefix}-${name}`,
      authorizationType: "API_KEY",
      authParameters: { apiKey: { key: header, value: key } },
    });
    const destination = new aws.cloudwatch.EventApiDestination(`Destination-${name}`, {
      name: `${stage.prefix}-${name}`,
      connectionArn: connection.arn,
      httpMethod: "POST",
      invocationEndpoint: url,
      invocationRateLimitPerSecond: 50,
    });
    const rule = new aws.cloudwatch.EventRule(`Destination-${name}`, {
      name: `${stage.prefix}-${name}`,
      eventBusName: bus.name,
      eventPattern: JSON.stringify({
        source: ["slipway"],
        // Replayed events go only to the rule that requested them.
        "replay-name": [{ exists: false }],
        ...(types && { "detail-type": types }),
      }),
    });
    const role = new aws.iam.Role(`Destination${name}Role`, {
      name: `${stage.prefix}-destination-${name}`,
      assumeRolePolicy: trustIn(stage, { service: "events.amazonaws.com", source: rule.arn }),
      inlinePolicies: [
        {
          name: "grants",
          policy: $jsonStringify(allow("events:InvokeApiDestination", destination.arn)),
        },
      ],
    });
    const failures = deadLetters(stage, `destination-${name}`);
    allowFrom(`Destination-${name}`, failures, [
      { service: "events.amazonaws.com", source: rule.arn },
    ]);
    new aws.cloudwatch.EventTarget(`Destination-${name}`, {
      rule: rule.name,
      eventBusName: bus.name,
      arn: destination.arn,
      roleArn: role.arn,
      inputPath: "$.detail",
      retryPolicy: { maximumEventAgeInSeconds: 24 * 3600, maximumRetryAttempts: 185 },
      deadLetterConfig: { arn: failures.arn },
    });
    return { name: `destination-${name}`, queue: failures };
  });
}

/** The bus of hubs' reports. The sender's identity determines a report's source. */
export function hubsBus(stage: Stage): Bus {
  const { bus, failures } = openBus("HubsBus", stage, `${stage.prefix}-hubs`);
  const { agentAccounts } = stage.parameters;
  if (agentAccounts.length > 0) {
    new aws.cloudwatch.EventBusPolicy("HubsBusPolicy", {
      eventBusName: bus.name,
      policy: $jsonStringify(reportsPolicy(agentAccounts, bus.arn)),
    });
  }
  return { bus, failures };
}

/** The function of the observers of hubs' reports. */
export function observers(shared: Shared): Deployed {
  const { stage, hubsBus } = shared;
  const observe = deployFunction(shared, "observe", {
    description: "reports of hubs: status, and the steps that wait for it",
    seconds: 60,
  });
  keepFailures(observe, "Observe", 2);
  callOn({
    stage,
    name: "Observe",
    bus: hubsBus.name,
    pattern: { source: [{ prefix: "slipway.hub." }], "detail-type": [reportType] },
    target: observe,
  });
  return observe;
}

/**
 * The rule for executions that did not succeed, on the account's own bus. It selects state machines by the prefix
 * of the stage, since all their names exceed the limit of a rule. Operations of another stage that matches are
 * unknown here, and are ignored.
 */
export function haltedRule(shared: Shared): Deployed {
  const halted = deployFunction(shared, "halted", {
    description: "executions that failed, timed out or were aborted",
    seconds: 60,
  });
  keepFailures(halted, "Halted", 2);
  callOn({
    stage: shared.stage,
    name: "Halted",
    bus: "default",
    pattern: {
      source: ["aws.states"],
      "detail-type": ["Step Functions Execution Status Change"],
      detail: {
        status: ["FAILED", "TIMED_OUT", "ABORTED"],
        stateMachineArn: [{ prefix: machinesPrefix(shared.stage) }],
      },
    },
    target: halted,
  });
  return halted;
}

/** A rule that calls a function. Events that cannot be delivered for an hour go to its dead letters. */
function callOn(options: {
  stage: Stage;
  name: string;
  bus: $util.Input<string>;
  pattern: object;
  target: Deployed;
}): void {
  const { stage, name, bus, pattern, target } = options;
  if (!target.failures) throw new Error(`${target.name} keeps no failures`);
  const rule = new aws.cloudwatch.EventRule(name, {
    name: `${stage.prefix}-${name.toLowerCase()}`,
    eventBusName: bus,
    eventPattern: $jsonStringify(pattern),
  });
  allowFrom(name, target.failures, [{ service: "events.amazonaws.com", source: rule.arn }]);
  new aws.cloudwatch.EventTarget(name, {
    rule: rule.name,
    eventBusName: bus,
    arn: target.arn,
    retryPolicy: { maximumEventAgeInSeconds: 3600, maximumRetryAttempts: 20 },
    deadLetterConfig: { arn: target.failures.arn },
  });
  new aws.lambda.Permission(`${name}Rule`, {
    action: "lambda:InvokeFunction",
    function: target.arn,
    principal: "events.amazonaws.com",
    sourceArn: rule.arn,
  });
}

const allow = (action: string, resource: $util.Input<string>) => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action: action, Resource: resource }],
});
