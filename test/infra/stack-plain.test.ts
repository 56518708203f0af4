import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import validator from "asl-validator";
import { beforeAll, describe, expect, it } from "vitest";
import { dueShards, watchSlotPartition } from "../../core/kernel/object/keys.ts";
import { eventRoutes } from "../../functions/api/events.ts";
import { environments, readEnvironment } from "../../functions/environment.ts";
import { embeddedMetrics } from "../../functions/runtime/embedded-metrics.ts";
import { cutOffMetrics } from "../../functions/runtime/operation-metrics.ts";
import { servicesInNetwork } from "../../infra/endpoints.ts";
import { functionNames as allNames, type FunctionName } from "../../infra/functions.ts";
import { ownRules } from "../../infra/parameters.ts";
import { grants, machineGrants, platformGrants, scheduleGrants } from "../../infra/permissions.ts";
import { arnsOf, expected, Stack, sagaNames, tooWide } from "../support/stack.ts";
import { missingPlatform, root, synthesise } from "../support/synth.ts";
import { expectTaken } from "./models/verdict.ts";

const stage = "slipway-plain";
/** API Gateway checks its tokens, and it says of no machines. */
const functionNames = allNames.filter(
  (name) => name !== "authorizer" && name !== "site-controller",
);
/** A line of the sweep, as CloudWatch reads it. */
interface Embedded {
  _aws: {
    CloudWatchMetrics: [{ Namespace: string; Dimensions: [string[]]; Metrics: { Name: string }[] }];
  };
  [member: string]: unknown;
}

/** The alarms of the table under its heading, `…` for any text. */
function alarmsIn(text: string): RegExp[] {
  const [, section = ""] = /^## Alarms$(.*?)^## /ms.exec(text) ?? [];
  const cells = Array.from(section.matchAll(/^\| ([^|]+) \|/gm), ([, cell = ""]) => cell);
  const names = cells.filter((cell) => cell !== "alarm").flatMap((cell) => cell.split(", "));
  return names.map((name) => new RegExp(`^${name.replaceAll("…", ".+")}$`));
}

if (missingPlatform) console.warn(`skipped: ${missingPlatform}`);

describe.skipIf(missingPlatform)("a plain stage", () => {
  let stack: Stack;
  const began = Date.now();
  beforeAll(async () => {
    const stages = join(root, "test/infra/stages");
    stack = new Stack(await synthesise("plain", stages, { bundled: true }));
  }, 240_000);

  /** What calls a function: the mapping of a stream or a queue. */
  const sourceOf = (name: string) => {
    const own = `arn:aws:lambda:us-east-1:123456789012:function:${stage}-${name}`;
    return stack
      .of("lambda/eventSourceMapping:EventSourceMapping")
      .find(({ functionName }) => functionName === own);
  };

  it("is made of what AWS takes", () => expectTaken(stage, stack.resources));

  it("is removed when it is removed", () => {
    expect(stack.app).toMatchObject({ removal: "remove", protect: false });
    expect(stack.only("dynamodb/table:Table")).toMatchObject({ deletionProtectionEnabled: false });
  });

  it("has the store's table: keys, indexes, stream, expiry, recovery", () => {
    const table = stack.only("dynamodb/table:Table");
    expect(table).toMatchObject({
      name: stage,
      hashKey: "pk",
      rangeKey: "sk",
      billingMode: "PAY_PER_REQUEST",
      streamEnabled: true,
      streamViewType: "NEW_AND_OLD_IMAGES",
      ttl: { enabled: true, attributeName: "expires" },
      pointInTimeRecovery: { enabled: true },
    });
    expect(table.globalSecondaryIndexes).toEqual(
      ["g1", "g2", "g3", "g4"].map((index) => ({
        name: `by-${index}`,
        hashKey: `${index}pk`,
        rangeKey: `${index}sk`,
        projectionType: "KEYS_ONLY",
      })),
    );
  });

  it.each(functionNames)("lets %s do what the table of grants says and nothing else", (name) => {
    const wanted = expected([...grants[name], ...platformGrants[name]], arnsOf(stage, name));
    expect(stack.allowed(`${stage}-${name}`)).toEqual(wanted);
  });

  it("lets state machines and schedules do what the table of grants says", () => {
    const arns = arnsOf(stage, "api");
    expect(stack.allowed(`${stage}-state-machines`)).toEqual(expected(machineGrants, arns));
    expect(stack.allowed(`${stage}-schedules`)).toEqual(
      expected(scheduleGrants, {
        ...arns,
        "dead-letters": [`arn:aws:sqs:us-east-1:123456789012:${stage}-schedules-dead-letters`],
      }),
    );
  });

  it("allows no action by wildcard, and on everything only what has its reason", () => {
    expect(stack.statements().length).toBeGreaterThan(20);
    expect(tooWide(stack.statements())).toEqual([]);
    const managed = stack.of("iam/role:Role").flatMap((role) => role.managedPolicyArns ?? []);
    expect(managed).toEqual([]);
    expect(stack.of("iam/rolePolicyAttachment:RolePolicyAttachment")).toEqual([]);
  });

  it("runs what was bundled, on Node 24 and arm64, each with a role of its own", () => {
    const deployed = stack.of("lambda/function:Function");
    expect(deployed.map(({ name }) => name).sort()).toEqual(
      functionNames.map((name) => `${stage}-${name}`).sort(),
    );
    expect([...stack.bundles].sort()).toEqual(functionNames.map((name) => `.build/${name}`).sort());
    for (const bundle of stack.bundles)
      expect(statSync(join(root, bundle, "index.mjs")).mtimeMs).toBeGreaterThan(began);
    for (const { name, ...rest } of deployed) {
      expect(rest).toMatchObject({
        role: `arn:aws:iam::123456789012:role/${name}`,
        runtime: "nodejs24.x",
        architectures: ["arm64"],
        handler: "index.handler",
        tracingConfig: { mode: "Active" },
        loggingConfig: {
          ...{ logFormat: "JSON", logGroup: `/aws/lambda/${name}` },
          systemLogLevel: "WARN",
        },
      });
    }
  });

  it("lets services of AWS take its roles, and use what is its own, for this account alone", () => {
    const trusts = stack.trustsOfServices();
    expect(trusts.length).toBeGreaterThan(functionNames.length);
    expect(trusts.filter(({ condition }) => !condition.includes("123456789012"))).toEqual([]);
  });

  it.each(functionNames)("tells %s what it reads, and nothing else", (name) => {
    const { environment } = stack.named("lambda/function:Function", `${stage}-${name}`);
    const { variables } = environment as { variables: Record<string, string> };
    expect(() => readEnvironment(variables, name)).not.toThrow();
    const told = Object.keys(variables).filter((each) => !each.startsWith("SST_"));
    expect(environments[name]).toEqual(expect.arrayContaining(told));
  });

  it("gives leases of workers an end after Lambda's own", () => {
    for (const zone of ["core", "hub", "site"]) {
      const worker = stack.named("lambda/function:Function", `${stage}-${zone}-worker`);
      const { variables } = worker.environment as { variables: Record<string, string> };
      const limit = Number(variables.WORKER_TIMEOUT);
      // A lease is the limit and two seconds (core/kernel/saga/leases.ts).
      expect(limit + 2000).toBeGreaterThan(Number(worker.timeout) * 1000);
      expect(limit).toBeLessThan(Number(worker.timeout) * 1000);
    }
  });

  it("puts the workers of hubs and sites, and nobody else, into the network", () => {
    const inside = stack
      .of("lambda/function:Function")
      .filter(({ vpcConfig }) => vpcConfig !== undefined)
      .map(({ name, reservedConcurrentExecutions }) => [name, reservedConcurrentExecutions]);
    expect(inside.sort()).toEqual([
      [`${stage}-hub-worker`, 50],
      [`${stage}-site-worker`, 20],
    ]);
    expect(stack.of("ec2/internetGateway:InternetGateway")).toEqual([]);
    expect(stack.of("ec2/natGateway:NatGateway")).toEqual([]);
    const services = stack.of("ec2/vpcEndpoint:VpcEndpoint").flatMap((endpoint) => {
      const [, service] =
        /^com\.amazonaws\.us-east-1\.(.+)$/.exec(String(endpoint.serviceName)) ?? [];
      return service === undefined ? [] : [service];
    });
    expect(services.sort()).toEqual(servicesInNetwork);
  });

  it("reaches a hub through VPC Lattice, and says under which name", () => {
    const [way] = stack
      .of("ec2/vpcEndpoint:VpcEndpoint")
      .filter(({ vpcEndpointType }) => vpcEndpointType === "Resource");
    expect(way?.resourceConfigurationArn).toMatch(/resourceconfiguration\/rcfg-/);
    expect(stack.outputs.hubs).toEqual({ "eu-1": "Hub-eu-1.vpce.example.com" });
  });

  it("serves the console as it is built, at the name that CloudFront gives it", () => {
    const page = stack.resources.find(({ name }) => name.startsWith("ConsoleSiteAssetFiles."));
    const files = (page?.inputs.files ?? []) as { key: string }[];
    const keys = files.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(["index.html", "icon.svg"]));
    expect(keys).toContainEqual(expect.stringMatching(/^assets\/index-[\w-]+\.js$/));
    expect(stack.outputs.console).toMatch(/^https:\/\/\w+\.cloudfront\.net$/);
  });

  it("deploys every committed state machine, valid, with its workers filled in", () => {
    const machines = stack.of("sfn/stateMachine:StateMachine");
    expect(machines.map(({ name }) => name).sort()).toEqual(
      sagaNames.map((saga) => `${stage}-${saga}`),
    );
    for (const { definition, ...rest } of machines) {
      expect(definition).not.toContain("$" + "{");
      expect(definition).toMatch(new RegExp(`function:${stage}-(core|hub|site)-worker`));
      expect(validator(JSON.parse(String(definition)))).toMatchObject({ isValid: true });
      expect(rest).toMatchObject({
        type: "STANDARD",
        publish: true,
        tracingConfiguration: { enabled: true },
        loggingConfiguration: { includeExecutionData: false, level: "ERROR" },
      });
    }
    expect(stack.of("sfn/alias:Alias").map(({ name }) => name)).toEqual(
      sagaNames.map(() => "live"),
    );
  });

  it("keeps state machines that a later deployment does not have, on a stage that is not protected too", () => {
    expect(stack.retained("sfn/stateMachine:StateMachine")).toBe(sagaNames.length);
    expect(stack.retained("sfn/alias:Alias")).toBe(sagaNames.length);
    // The rest of such a stage goes with it.
    expect(stack.retained("dynamodb/table:Table")).toBe(0);
  });

  it("starts executions through the alias", () => {
    const relay = stack.named("lambda/function:Function", `${stage}-relay`);
    expect(relay.environment).toMatchObject({
      variables: {
        STATE_MACHINES: `arn:aws:states:us-east-1:123456789012:stateMachine:${stage}-`,
        STATE_MACHINE_ALIAS: "live",
      },
    });
  });

  it("calls the relay for objects and tickets, not for what the relay writes itself", () => {
    const { filterCriteria } = sourceOf("relay") ?? {};
    const { filters = [] } = (filterCriteria ?? {}) as { filters?: { pattern: string }[] };
    expect(filters).toHaveLength(1);
    const prefixes = JSON.parse(filters[0]?.pattern ?? "").dynamodb.Keys.pk.S;
    expect(prefixes).toContainEqual({ prefix: "operation#" });
    expect(prefixes).not.toContainEqual({ prefix: "log#" });
  });

  it("relays the stream in batches that fail in part and end with dead letters", () => {
    expect(sourceOf("relay")).toMatchObject({
      functionResponseTypes: ["ReportBatchItemFailures"],
      bisectBatchOnFunctionError: true,
      maximumRetryAttempts: 20,
      destinationConfig: {
        onFailure: {
          destinationArn: `arn:aws:sqs:us-east-1:123456789012:${stage}-relay-dead-letters`,
        },
      },
    });
  });

  it("queues webhooks that are due, for fewer senders than are reserved", () => {
    const queue = stack.named("sqs/queue:Queue", `${stage}-webhooks`);
    const failures = `arn:aws:sqs:us-east-1:123456789012:${stage}-webhooks-dead-letters`;
    expect(JSON.parse(String(queue.redrivePolicy))).toMatchObject({
      deadLetterTargetArn: failures,
    });
    expect(sourceOf("webhooks")).toMatchObject({
      eventSourceArn: `arn:aws:sqs:us-east-1:123456789012:${stage}-webhooks`,
      functionResponseTypes: ["ReportBatchItemFailures"],
      maximumBatchingWindowInSeconds: 0,
      scalingConfig: { maximumConcurrency: 8 },
    });
    const sender = stack.named("lambda/function:Function", `${stage}-webhooks`);
    expect(sender.reservedConcurrentExecutions).toBe(10);
    expect(Number(queue.visibilityTimeoutSeconds)).toBeGreaterThanOrEqual(
      6 * Number(sender.timeout),
    );
  });

  it("queues rechecks for their times, for fewer runs than are reserved", () => {
    const queue = stack.named("sqs/queue:Queue", `${stage}-rechecks`);
    // The step is found by a sweep before a message could be given up.
    expect(queue.redrivePolicy).toBeUndefined();
    // The longest delay is a quarter of an hour.
    expect(Number(queue.messageRetentionSeconds)).toBeGreaterThan(900);
    expect(sourceOf("due")).toMatchObject({
      eventSourceArn: `arn:aws:sqs:us-east-1:123456789012:${stage}-rechecks`,
      maximumBatchingWindowInSeconds: 0,
      scalingConfig: { maximumConcurrency: 8 },
    });
    const { timeout } = stack.named("lambda/function:Function", `${stage}-due`);
    expect(Number(queue.visibilityTimeoutSeconds)).toBeGreaterThanOrEqual(6 * Number(timeout));
    expect(
      stack.named("cloudwatch/metricAlarm:MetricAlarm", `${stage} rechecks-late`),
    ).toMatchObject({
      metricName: "ApproximateNumberOfMessagesVisible",
      dimensions: { QueueName: `${stage}-rechecks` },
    });
  });

  it("asks for a token on everything but health, capabilities and the reference, and lets no browser in", () => {
    const routes = stack
      .of("apigatewayv2/route:Route")
      .map(({ routeKey, authorizationType }) => `${routeKey} ${authorizationType}`);
    expect(routes.sort()).toEqual([
      "ANY /api/{proxy+} JWT",
      "GET / NONE",
      "GET /api/events/v1/events JWT",
      "GET /api/fulfillment/v1/capabilities NONE",
      "GET /api/private/v1/events/watch JWT",
      "GET /docs NONE",
      "GET /docs/{proxy+} NONE",
      "GET /healthz NONE",
    ]);
    expect(stack.only("apigatewayv2/authorizer:Authorizer")).toMatchObject({
      authorizerType: "JWT",
      jwtConfiguration: {
        issuer: "https://login.example.com/realms/cloud",
        audiences: ["slipway"],
      },
    });
    expect(stack.only("apigatewayv2/api:Api").corsConfiguration).toEqual({});
    expect(stack.only("apigatewayv2/stage:Stage")).toMatchObject({
      defaultRouteSettings: { throttlingRateLimit: 200, throttlingBurstLimit: 400 },
    });
  });

  it("has a function of its own for every watch, which takes nothing from the rest of the API", () => {
    const integrations = new Map(
      stack
        .of("apigatewayv2/route:Route")
        .map(({ routeKey, target }) => [String(routeKey), String(target)]),
    );
    const watches = eventRoutes.map(({ method, path }) => `${method} ${path}`);
    const targets = new Set(watches.map((route) => integrations.get(route)));
    expect(targets).not.toContain(undefined);
    expect(targets).not.toContain(integrations.get("ANY /api/{proxy+}"));
    const watch = stack.named("lambda/function:Function", `${stage}-watch`);
    expect(watch).toMatchObject({ memorySize: 256, timeout: 29, reservedConcurrentExecutions: 20 });
    // Fewer wait than there is room for: who may not is told so.
    expect(watch.environment).toMatchObject({
      variables: { WATCHES: "16", TENANT_WATCHES: "8", USER_WATCHES: "4" },
    });
    const api = stack.named("lambda/function:Function", `${stage}-api`);
    expect(api.reservedConcurrentExecutions).toBe(100);
    expect(stack.named("cloudwatch/metricAlarm:MetricAlarm", `${stage} watch-full`)).toMatchObject({
      metricName: "ConcurrentExecutions",
      dimensions: { FunctionName: `${stage}-watch` },
      threshold: 16,
    });
  });

  it("lets watches write nothing but who waits", () => {
    const conditions = stack.statements().flatMap(({ of, statement }) => {
      const isWrite = [statement.Action].flat().includes("dynamodb:PutItem");
      return of === `${stage}-watch` && isWrite ? [statement.Condition] : [];
    });
    expect(conditions).toEqual([
      { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [watchSlotPartition] } },
    ]);
  });

  it("sweeps and sends webhooks by the minute, sweeps hubs every five, for orphans every quarter of an hour", () => {
    const schedules = stack
      .of("scheduler/schedule:Schedule")
      .map(({ scheduleExpression, target }) => {
        const { arn, input } = target as { arn: string; input: string };
        return [scheduleExpression, `${arn.split(":").at(-1)} ${input}`];
      });
    expect(schedules.sort()).toEqual([
      ["rate(1 minute)", `${stage}-due {}`],
      ["rate(1 minute)", `${stage}-webhooks {}`],
      ["rate(15 minutes)", `${stage}-sweep {"sweep":"orphans"}`],
      ["rate(5 minutes)", `${stage}-sweep {"sweep":"hubs"}`],
      ["rate(5 minutes)", `${stage}-sweep {"sweep":"metrics"}`],
      ["rate(5 minutes)", `${stage}-sweep {"sweep":"parts"}`],
    ]);
  });

  it("hears of executions of its own machines that ended other than well", () => {
    const { eventPattern, eventBusName } = stack.named(
      "cloudwatch/eventRule:EventRule",
      `${stage}-halted`,
    );
    expect(eventBusName).toBe("default");
    expect(JSON.parse(String(eventPattern))).toEqual({
      source: ["aws.states"],
      "detail-type": ["Step Functions Execution Status Change"],
      detail: {
        status: ["FAILED", "TIMED_OUT", "ABORTED"],
        stateMachineArn: [
          { prefix: `arn:aws:states:us-east-1:123456789012:stateMachine:${stage}-` },
        ],
      },
    });
  });

  it("says of every alarm in docs/operations.md what to do, and of no other", () => {
    const alarms = stack
      .of("cloudwatch/metricAlarm:MetricAlarm")
      .map(({ name }) => String(name).replace(`${stage} `, ""));
    // An event that is told to who is woken, and no metric.
    stack.named("cloudwatch/eventRule:EventRule", `${stage}-stuck`);
    const told = [...alarms, "stuck"];
    const documented = alarmsIn(readFileSync(join(root, "docs/operations.md"), "utf8"));
    const documents = (name: string) => documented.filter((each) => each.test(name));
    expect(told.filter((name) => documents(name).length !== 1)).toEqual([]);
    expect(documented.filter((each) => !told.some((name) => each.test(name)))).toEqual([]);
  });

  it("has as many alarms as docs/deploy.md says, one a state machine, for as many dollars", () => {
    const alarms = stack.of("cloudwatch/metricAlarm:MetricAlarm");
    const of = (wanted: string) => alarms.filter(({ namespace }) => namespace === wanted);
    expect(of("AWS/States")).toHaveLength(sagaNames.length);
    const [, count, metrics, dollars] =
      /^\| about (\d+) alarms, a third of them one a state machine; one dashboard; (\w+) metrics of Slipway's own \| (\d+) \|$/m.exec(
        readFileSync(join(root, "docs/deploy.md"), "utf8"),
      ) ?? [];
    const own = of("Slipway");
    expect([metrics, own.length]).toEqual(["eight", 8]);
    // "About" is a twentieth, and a third is one in two and a half to one in four.
    expect(Math.abs(Number(count) - alarms.length)).toBeLessThanOrEqual(alarms.length / 20);
    expect(alarms.length / sagaNames.length).toBeGreaterThan(2.5);
    expect(alarms.length / sagaNames.length).toBeLessThan(4);
    // A month of an alarm, of a metric and of a dashboard, by CloudWatch's list prices.
    const cost = alarms.length * 0.1 + own.length * 0.3 + 3;
    expect(Math.abs(Number(dollars) - cost)).toBeLessThanOrEqual(1);
  });

  it("makes alarms of metrics that the sweep writes, and shows them all", () => {
    const written: string[] = [];
    const values = {
      ...{ OperationsRunning: 1, OperationsStalled: 2, OperationsStuck: 3 },
      ...{ TokenAge: 4, HeartbeatAge: 5, HubsUnreached: 7, PoolUse: 6 },
    };
    embeddedMetrics(stage, 0, { values, worst: {} }, (line) => written.push(line));
    const [{ _aws, ...members }] = written.map((line) => JSON.parse(line)) as [Embedded];
    const [{ Namespace, Dimensions, Metrics }] = _aws.CloudWatchMetrics;
    expect(members).toMatchObject(values);
    const own = stack
      .of("cloudwatch/metricAlarm:MetricAlarm")
      .filter(({ namespace }) => namespace === Namespace);
    cutOffMetrics(stage, 0, { operation: "o", status: "ABORTED" }, (line) => written.push(line));
    const [cutOff] = JSON.parse(written[1] ?? "")._aws.CloudWatchMetrics;
    expect(cutOff).toMatchObject({ Namespace, Dimensions });
    expect(own.map(({ metricName }) => metricName).sort()).toEqual(
      [...Metrics, ...cutOff.Metrics].map(({ Name }) => Name).sort(),
    );
    const dimensions = Object.fromEntries(Dimensions[0].map((name) => [name, members[name]]));
    for (const alarm of own) expect(alarm.dimensions).toEqual(dimensions);
    const { dashboardBody } = stack.only("cloudwatch/dashboard:Dashboard");
    for (const { Name } of Metrics) expect(String(dashboardBody)).toContain(`"${Name}"`);
    const searched = String(dashboardBody).match(/SEARCH\('[^)]*/g);
    expect(searched).toHaveLength(3);
    for (const search of searched ?? [])
      expect(search).toContain(
        `{Slipway,Stage,Saga,Outcome} MetricName=\\"OperationSeconds\\" Stage=\\"${stage}\\"`,
      );
  });

  it("has no rule on its bus whose name a destination could have, but those that parameters refuse", () => {
    const bus = stack.named("cloudwatch/eventBus:EventBus", stage).name;
    const rules = stack
      .of("cloudwatch/eventRule:EventRule")
      .filter(({ eventBusName }) => eventBusName === bus)
      .map(({ name }) => name);
    expect(rules).toEqual([...ownRules].map((name) => `${stage}-${name}`));
  });

  it("watches every queue of dead letters and every function", () => {
    const alarms = stack.of("cloudwatch/metricAlarm:MetricAlarm");
    const watched = (metric: string, dimension: string) =>
      alarms
        .filter(({ metricName }) => metricName === metric)
        .map(({ dimensions }) => (dimensions as Record<string, string>)[dimension])
        .sort();
    const queues = stack
      .of("sqs/queue:Queue")
      .map(({ name }) => String(name))
      .filter((name) => name !== `${stage}-webhooks`);
    // Of the queue of rechecks, how many wait.
    expect(watched("ApproximateNumberOfMessagesVisible", "QueueName")).toEqual(queues.sort());
    const names = functionNames.map((name) => `${stage}-${name}`).sort();
    expect(watched("Errors", "FunctionName")).toEqual(names);
    expect(watched("Throttles", "FunctionName")).toEqual(names);
    expect(watched("IteratorAge", "FunctionName")).toEqual([`${stage}-relay`]);
    const { dashboardBody } = stack.only("cloudwatch/dashboard:Dashboard");
    expect(JSON.parse(String(dashboardBody)).widgets.length).toBeGreaterThan(5);
  });

  it("takes silence for trouble: of what runs by the clock, and of the measures", () => {
    const silent = stack
      .of("cloudwatch/metricAlarm:MetricAlarm")
      .filter(({ treatMissingData }) => treatMissingData === "breaching");
    const less = { comparisonOperator: "LessThanThreshold", threshold: 1 };
    // Calls by a schedule alone: a function that a queue calls too is not kept from silence by that.
    const called = { namespace: "AWS/Lambda", metricName: "AsyncEventsReceived", statistic: "Sum" };
    expect(silent).toMatchObject([
      { ...less, ...called, dimensions: { FunctionName: `${stage}-due` } },
      { ...less, ...called, dimensions: { FunctionName: `${stage}-sweep` } },
      {
        ...less,
        metricName: "OperationsRunning",
        statistic: "SampleCount",
        dimensions: { Stage: stage },
      },
    ]);
  });

  it("keeps every call that nobody waits for and that was dropped or failed for good", () => {
    const configured = stack.of("lambda/functionEventInvokeConfig:FunctionEventInvokeConfig");
    const awaited: FunctionName[] = ["api", "watch", "relay"];
    const called = functionNames.filter((name) => !awaited.includes(name));
    expect(configured.map(({ functionName }) => functionName).sort()).toEqual(
      called.map((name) => `${stage}-${name}`).sort(),
    );
    for (const { functionName, destinationConfig } of configured)
      expect(destinationConfig).toEqual({
        onFailure: {
          destination: `arn:aws:sqs:us-east-1:123456789012:${functionName}-dead-letters`,
        },
      });
  });

  it("keeps runs for each of the sweeps, however long what is due takes", () => {
    const reserved = (name: string) =>
      stack.named("lambda/function:Function", `${stage}-${name}`).reservedConcurrentExecutions;
    // A run for each shard, eight for the queue, and a few beside those that take longer than usual.
    expect(reserved("due")).toBe(dueShards + 8 + 4);
    const ofSweep = stack.of("scheduler/schedule:Schedule").filter(({ target }) => {
      const { arn } = target as { arn: string };
      return arn.endsWith(`function:${stage}-sweep`);
    });
    expect(reserved("sweep")).toBe(ofSweep.length);
  });

  it("watches what indexes refuse, which DynamoDB does not count for the table", () => {
    const watched = stack
      .of("cloudwatch/metricAlarm:MetricAlarm")
      .filter(({ metricName }) => metricName === "WriteThrottleEvents")
      .map(({ dimensions }) => dimensions);
    const made = stack.only("dynamodb/table:Table").globalSecondaryIndexes as { name: string }[];
    expect(watched).toEqual([
      { TableName: stage },
      ...made.map(({ name }) => ({ TableName: stage, GlobalSecondaryIndexName: name })),
    ]);
  });

  it("shows what it watches", () => {
    const { dashboardBody } = stack.only("cloudwatch/dashboard:Dashboard");
    expect(JSON.parse(String(dashboardBody)).widgets.length).toBeGreaterThan(5);
  });
});
