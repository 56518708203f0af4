import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { environments, readEnvironment } from "../../functions/environment.ts";
import { functionNames } from "../../infra/functions.ts";
import { reportsPolicy } from "../../infra/hub-reports.ts";
import {
  grants,
  keyGrant,
  platformGrants,
  scheduleGrants,
  zoneGrants,
} from "../../infra/permissions.ts";
import { arnsOf, expected, Stack, statementsIn, tooWide } from "../support/stack.ts";
import { missingPlatform, root, synthesise } from "../support/synth.ts";
import { expectTaken } from "./models/verdict.ts";

const stage = "slipway-guarded";
const key = "arn:aws:kms:us-east-1:123456789012:key/key-1";
/** What a bus could not encrypt with the stage's own key is encrypted with another. */
const isOfBus = (queue: unknown) => /-(hubs-)?bus-dead-letters$/.test(String(queue));

if (missingPlatform) console.warn(`skipped: ${missingPlatform}`);

describe.skipIf(missingPlatform)("a protected stage with a key of its own", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = new Stack(await synthesise("guarded", join(root, "test/infra/stages")));
  }, 240_000);

  it("is made of what AWS takes", () => expectTaken(stage, stack.resources));

  it("keeps what it has, come what may", () => {
    expect(stack.app).toMatchObject({ removal: "retain", protect: true });
    expect(stack.only("dynamodb/table:Table")).toMatchObject({ deletionProtectionEnabled: true });
  });

  it("has a table that bears what the parameters say from the beginning", () => {
    expect(stack.only("dynamodb/table:Table")).toMatchObject({
      warmThroughput: { readUnitsPerSecond: 20_000, writeUnitsPerSecond: 30_000 },
    });
  });

  it("encrypts with its own key all that it stores", () => {
    expect(stack.only("dynamodb/table:Table")).toMatchObject({
      serverSideEncryption: { enabled: true, kmsKeyArn: key },
    });
    const keys = {
      "sqs/queue:Queue": "kmsMasterKeyId",
      "cloudwatch/logGroup:LogGroup": "kmsKeyId",
      "cloudwatch/eventBus:EventBus": "kmsKeyIdentifier",
    };
    for (const [type, member] of Object.entries(keys)) {
      const found = stack.of(type).filter(({ name }) => !isOfBus(name));
      expect(found.length, type).toBeGreaterThan(0);
      for (const inputs of found) expect(inputs[member], `${type} ${inputs.name}`).toBe(key);
    }
    for (const machine of stack.of("sfn/stateMachine:StateMachine"))
      expect(machine.encryptionConfiguration).toMatchObject({ kmsKeyId: key });
    const api = stack.named("lambda/function:Function", `${stage}-api`);
    expect(api.environment).toMatchObject({ variables: { SECRETS_KEY: key } });
  });

  it("keeps state machines that a later deployment does not have, so that what runs goes on", () => {
    const machines = stack.of("sfn/stateMachine:StateMachine").length;
    expect(machines).toBeGreaterThan(30);
    expect(stack.retained("sfn/stateMachine:StateMachine")).toBe(machines);
    expect(stack.retained("sfn/alias:Alias")).toBe(machines);
  });

  it.each(functionNames)("lets %s use the key and the zones beside what it is granted", (name) => {
    const zones = name === "hub-worker" || name === "site-worker" ? zoneGrants : [];
    const key = grants[name].length > 0 ? [keyGrant] : [];
    const all = [...grants[name], ...zones, ...platformGrants[name], ...key];
    expect(stack.allowed(`${stage}-${name}`)).toEqual(expected(all, arnsOf(stage, name)));
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

  it("allows no action by wildcard, of roles, queues, buses, topics and keys", () => {
    expect(tooWide(stack.statements())).toEqual([]);
    const policies = [
      ...stack.of("sqs/queuePolicy:QueuePolicy"),
      ...stack.of("cloudwatch/eventBusPolicy:EventBusPolicy"),
      ...stack.of("sns/topicPolicy:TopicPolicy"),
    ].flatMap(({ policy }) => statementsIn(policy));
    expect(policies.length).toBeGreaterThan(4);
    expect(tooWide(policies.map((statement) => ({ of: "", statement })))).toEqual([]);
  });

  describe("the policy of the key", () => {
    const statement = (sid: string) => {
      const { policy } = stack.only("kms/key:Key");
      const found = statementsIn(policy).filter(({ Sid }) => Sid === sid);
      expect(found, sid).toHaveLength(1);
      return found[0];
    };

    it("leaves to IAM what principals of the account may do, as AWS's default does", () => {
      // CreateAlias and its like are refused to everybody whom the key's own policy does not allow them.
      expect(statement("ByIam")).toEqual({
        Sid: "ByIam",
        Effect: "Allow",
        Principal: { AWS: "arn:aws:iam::123456789012:root" },
        Action: "kms:*",
        Resource: "*",
      });
      const others = statementsIn(stack.only("kms/key:Key").policy).slice(1);
      expect(others.flatMap(({ Action }) => Action).join()).not.toContain("*");
    });

    // What the guides of each service ask for.
    const use = ["kms:Decrypt", "kms:GenerateDataKey"];
    const reEncrypt = ["kms:ReEncryptFrom", "kms:ReEncryptTo"];
    it.each([
      [
        "Logs",
        "logs.us-east-1.amazonaws.com",
        [...use, ...reEncrypt, "kms:Encrypt", "kms:DescribeKey"],
      ],
      ["LogDelivery", "delivery.logs.amazonaws.com", ["kms:Decrypt"]],
      ["Events", "events.amazonaws.com", [...use, ...reEncrypt, "kms:DescribeKey"]],
      ["Alarms", "cloudwatch.amazonaws.com", use],
    ])("lets %s (%s) do what it needs, for this account alone", (sid, service, actions) => {
      const { Principal, Action, Condition } = statement(sid) ?? {};
      expect(Principal).toEqual({ Service: service });
      expect([Action].flat().sort()).toEqual(actions.toSorted());
      const values = Object.values(Condition ?? {}).flatMap((each) => Object.values(each));
      expect(values.length).toBeGreaterThan(0);
      for (const value of values) expect(value).toContain("123456789012");
    });

    it.each(["LogDelivery", "Events", "Alarms"])("refuses %s of another account", (sid) => {
      expect(statement(sid)?.Condition).toMatchObject({
        StringEqualsIfExists: { "aws:SourceAccount": "123456789012" },
      });
    });

    it("asks of EventBridge and CloudWatch no condition key that their calls may lack", () => {
      for (const sid of ["LogDelivery", "Events", "Alarms"]) {
        const operators = Object.keys(statement(sid)?.Condition ?? {});
        expect(operators.filter((operator) => !operator.endsWith("IfExists"))).toEqual([]);
      }
    });

    it("names no service that uses the key in a role's name", () => {
      const { policy } = stack.only("kms/key:Key");
      expect(String(policy)).not.toContain("scheduler.amazonaws.com");
    });
  });

  it("lets the schedules encrypt their dead letters", () => {
    expect(stack.allowed(`${stage}-schedules`)).toEqual(
      expected([...scheduleGrants, keyGrant], {
        ...arnsOf(stage, "api"),
        "dead-letters": [`arn:aws:sqs:us-east-1:123456789012:${stage}-schedules-dead-letters`],
      }),
    );
  });

  it.each([
    [stage, "bus"],
    [`${stage}-hubs`, "hubs-bus"],
  ])("keeps what the bus %s cannot encrypt, under another key", (bus, called) => {
    const arn = `arn:aws:sqs:us-east-1:123456789012:${stage}-${called}-dead-letters`;
    expect(stack.named("cloudwatch/eventBus:EventBus", bus)).toMatchObject({
      deadLetterConfig: { arn },
    });
    const queue = stack.named("sqs/queue:Queue", `${stage}-${called}-dead-letters`);
    expect(queue).toMatchObject({ sqsManagedSseEnabled: true });
    expect(queue.kmsMasterKeyId).toBeUndefined();
    const allowed = stack
      .of("sqs/queuePolicy:QueuePolicy")
      .flatMap(({ policy }) => statementsIn(policy))
      .filter(({ Resource }) => Resource === arn);
    expect(allowed).toMatchObject([
      {
        Principal: { Service: "events.amazonaws.com" },
        Condition: {
          ArnEquals: { "aws:SourceArn": `arn:aws:events:us-east-1:123456789012:event-bus/${bus}` },
        },
      },
    ]);
  });

  it("lets roles of the agents' accounts speak on the bus of hubs, as the hub in their tag", () => {
    const { policy, eventBusName } = stack.only("cloudwatch/eventBusPolicy:EventBusPolicy");
    expect(eventBusName).toBe(`${stage}-hubs`);
    const bus = `arn:aws:events:us-east-1:123456789012:event-bus/${stage}-hubs`;
    expect(JSON.parse(String(policy))).toEqual(
      reportsPolicy(["123456789012", "210987654321"], bus),
    );
  });

  it("observes what hubs report and nothing else on their bus", () => {
    const rule = stack.named("cloudwatch/eventRule:EventRule", `${stage}-observe`);
    expect(rule.eventBusName).toBe(`${stage}-hubs`);
    expect(JSON.parse(String(rule.eventPattern))).toEqual({
      source: [{ prefix: "slipway.hub." }],
      "detail-type": ["slipway.hub.report.v1"],
    });
  });

  it("has its name, and a certificate for the name", () => {
    const name = "api.example.com";
    expect(stack.only("acm/certificate:Certificate")).toMatchObject({ domainName: name });
    expect(stack.only("apigatewayv2/domainName:DomainName")).toMatchObject({ domainName: name });
    const records = stack.of("route53/record:Record").filter((record) => record.name === name);
    expect(records.map(({ type }) => type).sort()).toEqual(["A", "AAAA"]);
    expect(stack.outputs.api).toBe(`https://${name}`);
  });

  it("lives in the network that was given, with ways of its own to AWS and to a hub", () => {
    expect(stack.of("ec2/vpc:Vpc")).toEqual([]);
    expect(stack.named("lambda/function:Function", `${stage}-hub-worker`)).toMatchObject({
      vpcConfig: { subnetIds: ["subnet-a", "subnet-b"] },
    });
    const services = stack.of("ec2/vpcEndpoint:VpcEndpoint").map((each) => each.serviceName);
    expect(services).toContain("com.amazonaws.vpce.us-east-1.vpce-svc-0123");
    expect(stack.outputs.hubs).toEqual({ "us-1": "Hub-us-1.vpce.example.com" });
  });

  it("tells an endpoint of the types it asked for, and not again of a replay", () => {
    const rule = stack.named("cloudwatch/eventRule:EventRule", `${stage}-billing`);
    expect(JSON.parse(String(rule.eventPattern))).toEqual({
      source: ["slipway"],
      "replay-name": [{ exists: false }],
      "detail-type": ["slipway.cluster.ready.v1"],
    });
    expect(stack.only("cloudwatch/eventApiDestination:EventApiDestination")).toMatchObject({
      invocationEndpoint: "https://billing.example.com/events",
      httpMethod: "POST",
    });
    expect(stack.only("cloudwatch/eventArchive:EventArchive")).toMatchObject({ retentionDays: 30 });
  });

  it("watches the dead letters of every queue, of endpoints too", () => {
    const watched = stack
      .of("cloudwatch/metricAlarm:MetricAlarm")
      .filter(({ metricName }) => metricName === "ApproximateNumberOfMessagesVisible")
      .map(({ dimensions }) => (dimensions as { QueueName: string }).QueueName);
    const queues = stack.of("sqs/queue:Queue").map(({ name }) => String(name));
    expect(queues).toContain(`${stage}-destination-billing-dead-letters`);
    // Of the queue of rechecks, how many wait.
    expect(watched.sort()).toEqual(queues.filter((name) => name !== `${stage}-webhooks`).sort());
  });

  it("has tokens checked by a function in the network, and believes it for a while", () => {
    expect(stack.only("apigatewayv2/authorizer:Authorizer")).toMatchObject({
      authorizerType: "REQUEST",
      authorizerPayloadFormatVersion: "2.0",
      enableSimpleResponses: true,
      authorizerResultTtlInSeconds: 30,
      identitySources: ["$request.header.Authorization"],
    });
    const routes = stack
      .of("apigatewayv2/route:Route")
      .map(({ routeKey, authorizationType }) => `${routeKey} ${authorizationType}`);
    for (const route of [
      "ANY /api/{proxy+} CUSTOM",
      "GET /api/events/v1/events CUSTOM",
      "GET /api/private/v1/events/watch CUSTOM",
      "OPTIONS /api/{proxy+} NONE",
    ])
      expect(routes).toContain(route);
    expect(stack.named("lambda/function:Function", `${stage}-authorizer`)).toMatchObject({
      vpcConfig: { subnetIds: ["subnet-a", "subnet-b"] },
    });
    expect(stack.named("ec2/securityGroup:SecurityGroup", `${stage}-issuers`)).toMatchObject({
      egress: [{ fromPort: 443, toPort: 443, protocol: "tcp" }],
    });
  });

  it("lets machines of these networks ask, with TLS, and nobody else", () => {
    expect(
      stack.named("ec2/securityGroup:SecurityGroup", `${stage}-site-controller`),
    ).toMatchObject({
      ingress: [
        { protocol: "tcp", fromPort: 443, toPort: 443, cidrBlocks: ["10.8.0.0/16", "10.9.0.0/16"] },
      ],
    });
    expect(stack.only("lb/loadBalancer:LoadBalancer")).toMatchObject({
      internal: true,
      subnets: ["subnet-a", "subnet-b"],
    });
    expect(stack.only("lb/listener:Listener")).toMatchObject({
      ...{ port: 443, protocol: "HTTPS" },
      certificateArn: expect.stringContaining("certificate/machines"),
    });
    const [permission] = stack
      .of("lambda/permission:Permission")
      .filter(({ principal }) => principal === "elasticloadbalancing.amazonaws.com");
    expect(permission).toMatchObject({ action: "lambda:InvokeFunction" });
    expect(stack.outputs.machines).toMatch(/^https:/);
  });

  it("lets the asked browsers in, takes the asked claims and profile", () => {
    expect(stack.only("apigatewayv2/api:Api")).toMatchObject({
      corsConfiguration: {
        allowOrigins: ["https://portal.example.com"],
        allowHeaders: expect.arrayContaining(["Authorization", "If-Match"]),
        exposeHeaders: expect.arrayContaining(["ETag", "Last-Event-ID", "Retry-After"]),
      },
    });
    const api = stack.named("lambda/function:Function", `${stage}-api`);
    expect(api.environment).toMatchObject({
      variables: {
        API_PROFILE: "osac",
        API_ORIGINS: "https://portal.example.com",
        ISSUERS: expect.stringContaining('{"tenant":"org"}'),
        TENANT_RATE: "40",
        USER_RATE: "20",
      },
    });
  });

  it("wakes somebody, also for an operation that is stuck", () => {
    expect(stack.only("sns/topicSubscription:TopicSubscription")).toMatchObject({
      protocol: "email",
      endpoint: "operations@example.com",
    });
    const rule = stack.named("cloudwatch/eventRule:EventRule", `${stage}-stuck`);
    expect(JSON.parse(String(rule.eventPattern))).toMatchObject({
      "detail-type": ["slipway.operation.stuck.v1"],
    });
  });
});
