import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Stack } from "../support/stack.ts";
import { missingPlatform, root, synthesise } from "../support/synth.ts";
import { expectTaken } from "./models/verdict.ts";

const arn = "arn:aws:dynamodb:us-east-1:123456789012:table/slipway-restored-2";
if (missingPlatform) console.warn(`skipped: ${missingPlatform}`);

describe.skipIf(missingPlatform)("a stage whose table was restored", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = new Stack(await synthesise("restored", join(root, "test/infra/stages")));
  }, 240_000);

  it("is made of what AWS takes", () => expectTaken("slipway-restored", stack.resources));

  it("works on the restored one alone, and keeps its own as it was", () => {
    expect(stack.only("dynamodb/table:Table")).toMatchObject({
      name: "slipway-restored",
      deletionProtectionEnabled: true,
    });
    const told = stack
      .of("lambda/function:Function")
      .map(({ environment }) => (environment as { variables: { TABLE?: string } }).variables.TABLE);
    expect(new Set(told)).toEqual(new Set(["slipway-restored-2"]));
    const allowed = stack
      .statements()
      .flatMap(({ statement }) => statement.Resource)
      .filter((resource) => resource.includes(":dynamodb:"));
    expect(allowed.length).toBeGreaterThan(0);
    expect(allowed.filter((resource) => !resource.startsWith(arn))).toEqual([]);
  });

  it("relays the stream of the restored one", () => {
    const sources = stack
      .of("lambda/eventSourceMapping:EventSourceMapping")
      .map(({ eventSourceArn }) => eventSourceArn);
    expect(sources).toContain(`${arn}/stream/2026-02-02T00:00:00.000`);
  });

  it("tells a topic that is given, and leaves its policy alone", () => {
    const told = stack
      .of("cloudwatch/metricAlarm:MetricAlarm")
      .map(({ alarmActions }) => alarmActions);
    expect(told.length).toBeGreaterThan(0);
    const topic = "arn:aws:sns:us-east-1:123456789012:on-call";
    expect(told.filter((actions) => String(actions) !== topic)).toEqual([]);
    expect(stack.resources.filter(({ type }) => type.startsWith("aws:sns/"))).toEqual([]);
  });

  it("watches the restored one", () => {
    const tables = stack
      .of("cloudwatch/metricAlarm:MetricAlarm")
      .flatMap(({ dimensions }) => (dimensions as { TableName?: string }).TableName ?? []);
    expect(new Set(tables)).toEqual(new Set(["slipway-restored-2"]));
  });
});
