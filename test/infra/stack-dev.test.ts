import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { environments, readEnvironment } from "../../functions/environment.ts";
import { type FunctionName, functionNames, functions } from "../../infra/functions.ts";
import { grants, keyGrant, platformGrants, zoneGrants } from "../../infra/permissions.ts";
import { arnsOf, expected, Stack } from "../support/stack.ts";
import { missingPlatform, root, type Synthesis, synthesise } from "../support/synth.ts";
import { expectTaken } from "./models/verdict.ts";

const stage = "slipway-guarded";
if (missingPlatform) console.warn(`skipped: ${missingPlatform}`);

describe.skipIf(missingPlatform)("a stage that is developed on", () => {
  let synthesis: Synthesis;
  let stack: Stack;
  beforeAll(async () => {
    const stages = join(root, "test/infra/stages");
    synthesis = await synthesise("guarded", stages, { dev: true });
    stack = new Stack(synthesis);
  }, 240_000);

  const deployed = (name: FunctionName) =>
    stack.named("lambda/function:Function", `${stage}-${name}`);

  it("is made of what AWS takes", () => expectTaken(stage, stack.resources));

  it.each(functionNames)(
    "lets %s do what the table of grants says, and what SST's stand-in for it needs",
    (name) => {
      const role = String(deployed(name).role).replace(/^.*:role\//, "");
      const {
        "appsync:*": channel,
        "s3:*": code,
        ...rest
      } = Object.fromEntries(stack.allowed(role));
      const zones = name === "hub-worker" || name === "site-worker" ? zoneGrants : [];
      const key = grants[name].length > 0 ? [keyGrant] : [];
      const all = [...grants[name], ...zones, ...platformGrants[name], ...key];
      expect(rest).toEqual(Object.fromEntries(expected(all, arnsOf(stage, name))));
      expect(channel).toEqual(["*"]);
      expect(code).toEqual(["arn:aws:s3:::sst-asset", "arn:aws:s3:::sst-asset/*"]);
      expect(stack.named("iam/role:Role", role).managedPolicyArns).toEqual([
        "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole",
      ]);
    },
  );

  it.each(functionNames)("tells %s what it reads", (name) => {
    const { variables } = deployed(name).environment as { variables: Record<string, string> };
    expect(() => readEnvironment(variables, name)).not.toThrow();
    const told = Object.keys(variables).filter((each) => !each.startsWith("SST_"));
    expect(environments[name]).toEqual(expect.arrayContaining(told));
  });

  it("runs the code of each function, with the files that the code reads beside it", () => {
    const entries = functionNames.map((name) => functions[name]);
    const wanted = entries.map(({ entry, assets }) => [
      entry.replace(/\.ts$/, ".handler"),
      assets === undefined ? [] : [{ from: join(root, assets), to: "assets" }],
    ]);
    const live = synthesis.live.map(({ handler, copyFiles }) => [
      handler,
      copyFiles.map(({ from, to }) => ({ from, to })),
    ]);
    expect(live.sort()).toEqual(wanted.sort());
  });

  it("is in no network, since its functions run on somebody's machine, and reserves nothing", () => {
    const functions = stack.of("lambda/function:Function");
    expect(functions).toHaveLength(functionNames.length);
    for (const { vpcConfig, reservedConcurrentExecutions } of functions)
      expect([vpcConfig, reservedConcurrentExecutions]).toEqual([undefined, undefined]);
    expect(stack.resources.filter(({ type }) => type.startsWith("aws:ec2/"))).toEqual([]);
    expect(stack.outputs.hubs).toEqual({});
  });

  it("has no console: the files would be of no release", () => {
    expect(stack.of("cloudfront/distribution:Distribution")).toEqual([]);
    expect(stack.outputs.console).toBe("");
  });
});
