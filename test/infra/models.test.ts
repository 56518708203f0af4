import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Inputs, Resource } from "../support/pulumi-mocks.ts";
import { missingPlatform, root, synthesise } from "../support/synth.ts";
import { expectTaken, verdictOn } from "./models/verdict.ts";

if (missingPlatform) console.warn(`skipped: ${missingPlatform}`);

const table = "aws:dynamodb/table:Table";
const fn = "aws:lambda/function:Function";
const key = "aws:kms/key:Key";
const role = "aws:iam/role:Role";
const queue = "aws:sqs/queue:Queue";
const rule = "aws:cloudwatch/eventRule:EventRule";
const busPolicy = "aws:cloudwatch/eventBusPolicy:EventBusPolicy";
const alarm = "aws:cloudwatch/metricAlarm:MetricAlarm";

const text = (length: number): string => "x".repeat(length);
const policy = (statement: object): string =>
  JSON.stringify({ Version: "2012-10-17", Statement: [{ Effect: "Allow", ...statement }] });
const account = { AWS: "arn:aws:iam::123456789012:root" };
const keyOf = (...Action: string[]) => ({
  policy: policy({ Principal: account, Action, Resource: "*" }),
});
const granting = (Action: string, length = 0) => ({
  name: text(1 + length / 10_000),
  policy: policy({ Action, Resource: text(length) }),
});

/** What is wrong, where, and what is said of it. */
const wrong: [string, string, Inputs, RegExp][] = [
  [
    "an index of two letters",
    table,
    { globalSecondaryIndexes: [{ name: "g1", hashKey: "g1pk", projectionType: "KEYS_ONLY" }] },
    /IndexName: "g1" is below the minimum, 3$/,
  ],
  ["a function's name of 65 characters", fn, { name: text(65) }, /FunctionName: 65 > 64/],
  ["a time below nothing", fn, { timeout: -1 }, /Timeout: -1 is below the minimum, 1$/],
  ["a time above a quarter of an hour", fn, { timeout: 901 }, /Timeout: 901 > 900/],
  ["a runtime that nobody has", fn, { runtime: "nodejs99.x" }, /Runtime: "nodejs99.x" is none of/],
  ["a text for a number", fn, { memorySize: "512 MB" }, /MemorySize: "512 MB" is no integer$/],
  ["no role", fn, { role: undefined }, /CreateFunction : lacks Role$/],
  ["a role that is no ARN", fn, { role: "api" }, /Role: "api" does not match arn:/],
  ["an argument of nothing", fn, { colour: "red" }, /: no member for colour$/],
  [
    "an argument of nothing, deeper",
    fn,
    { tracingConfig: { mode: "Active", colour: "red" } },
    /: no member for tracingConfig.colour$/,
  ],
  [
    "an environment above 4 KB",
    fn,
    { environment: { variables: { ISSUERS: text(4090) } } },
    /Environment.Variables: 4097 > 4096/,
  ],
  ["more actions than five", alarm, { alarmActions: Array(6).fill("arn") }, /AlarmActions: .*, 5$/],
  ["a period of 90 s", alarm, { period: 90 }, /Period: 90 is no multiple of 60/],
  ["a queue's name with a dot", queue, { name: "a.b" }, /QueueName: a.b does not match/],
  ["a message that is hidden too long", queue, { visibilityTimeoutSeconds: 43_201 }, /> 43200/],
  ["a pattern above its quota", rule, { eventPattern: text(2049) }, /EventPattern: 2049 > 2048/],
  [
    "a bus's policy above its quota",
    busPolicy,
    { policy: policy({ Sid: text(10_240), Action: "events:PutEvents" }) },
    /Policy: \d+ > 10240/,
  ],
  [
    "rights of a role that only together are above the quota",
    role,
    { inlinePolicies: [granting("s3:*", 6000), granting("s3:*", 6000)] },
    /inline policies of \d+ > 10240/,
  ],
  [
    "a right to nothing",
    role,
    { inlinePolicies: [granting("dynamodb:GetItems")] },
    /there is no action dynamodb:GetItems/,
  ],
  [
    "a pattern of rights that covers nothing",
    role,
    { inlinePolicies: [granting("dynamodb:Fetch*")] },
    /there is no action dynamodb:Fetch\*/,
  ],
  [
    "a right in a service that nobody knows",
    role,
    { inlinePolicies: [granting("dynamo:*")] },
    /there is no action dynamo:\*/,
  ],
  ["a right on a key to nothing", key, keyOf("kms:*", "kms:Undo"), /there is no action kms:Undo/],
  [
    "a key of which nobody can make the alias",
    key,
    keyOf("kms:DeleteAlias", "kms:DescribeKey", "kms:PutKeyPolicy", "kms:UpdateAlias"),
    /does not let IAM allow kms:CreateAlias/,
  ],
];

describe.skipIf(missingPlatform)("the stage that the guide says to copy", () => {
  let resources: Resource[];
  beforeAll(async () => {
    ({ resources } = await synthesise("example", join(root, "stages")));
  }, 240_000);

  it("is made of what AWS takes", () => expectTaken("slipway-example", resources));

  it.each(wrong)("would not be taken with %s", (_, type, inputs, says) => {
    const first = resources.findIndex((each) => each.type === type);
    const changed = resources.map((each, n) =>
      n === first ? { ...each, inputs: { ...each.inputs, ...inputs } } : each,
    );
    expect(verdictOn(changed).violations).toEqual([expect.stringMatching(says)]);
  });

  it("would be taken with a key of which IAM may make the alias, by name or by pattern", () => {
    const aliases = ["kms:CreateAlias", "kms:DeleteAlias", "kms:UpdateAlias"];
    for (const actions of [aliases, ["kms:*"], ["kms:*Alias"]]) {
      const changed = resources.map((each) =>
        each.type === key ? { ...each, inputs: { ...each.inputs, ...keyOf(...actions) } } : each,
      );
      expect(verdictOn(changed).violations).toEqual([]);
    }
  });

  it("would not be taken with a resource that nobody has described", () => {
    const more = { type: "aws:ec2/instance:Instance", name: "Extra", inputs: {} };
    expect(verdictOn([...resources, more]).violations).toEqual([
      "aws:ec2/instance:Instance Extra: has no row",
    ]);
  });

  it("leaves open the ids that AWS makes", () => {
    const alias = { type: "aws:kms/alias:Alias", name: "Alias" };
    const made = verdictOn([{ ...alias, inputs: { name: "alias/key", targetKeyId: "id-of-Key" } }]);
    const told = verdictOn([{ ...alias, inputs: { name: "alias/key", targetKeyId: "key" } }]);
    expect([made.unknown, told.unknown]).toEqual([1, 0]);
    expect(made.constraints).toBeLessThan(told.constraints);
  });
});
