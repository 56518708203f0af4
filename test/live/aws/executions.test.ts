import { DescribeExecutionCommand } from "@aws-sdk/client-sfn";
import { afterAll, beforeAll, expect, it } from "vitest";
import { asOperationId } from "../../../core/id.ts";
import { overTheWire, unique } from "./endpoint.ts";
import { type LiveMachines, liveMachines } from "./machines.ts";

overTheWire("the start of executions", () => {
  let machines: LiveMachines;
  beforeAll(async () => {
    machines = await liveMachines();
  });
  afterAll(() => machines.close());

  it("starts one of the committed definition under the operation's name, with its id alone", async () => {
    const id = asOperationId(unique());
    await machines.workflow.start("cluster-create", id);
    const executionArn = machines.arns.execution("cluster-create", id);
    const found = await machines.client.send(new DescribeExecutionCommand({ executionArn }));
    expect(found).toMatchObject({ name: id, status: "RUNNING" });
    expect(JSON.parse(found.input ?? "")).toEqual({ operation: id });
    expect(await machines.workflow.describe("cluster-create", id)).toEqual({ state: "RUNNING" });
  });

  it("starts through the alias", async () => {
    const id = asOperationId(unique());
    await machines.workflow.start("cluster-delete", id);
    const executionArn = machines.arns.execution("cluster-delete", id);
    const found = await machines.client.send(new DescribeExecutionCommand({ executionArn }));
    expect(found.stateMachineAliasArn).toBe(machines.arns.stateMachine("cluster-delete"));
  });

  it("starts it once, however often it is asked", async () => {
    const id = asOperationId(unique());
    await machines.workflow.start("cluster-scale", id);
    await machines.workflow.start("cluster-scale", id);
    expect(await machines.workflow.describe("cluster-scale", id)).toEqual({ state: "RUNNING" });
  });

  it("knows nothing of one that was never started", async () => {
    const id = asOperationId(unique());
    expect(await machines.workflow.describe("cluster-create", id)).toBeUndefined();
  });

  it("says that nobody waits under a token that is none", async () => {
    expect(await machines.workflow.succeed("nobody")).toBe(false);
    expect(await machines.workflow.fail("nobody", "Invalid", "no")).toBe(false);
  });
});
