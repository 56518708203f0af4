import { once } from "node:events";
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  RedriveExecutionCommand,
  SendTaskFailureCommand,
  SendTaskHeartbeatCommand,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from "@aws-sdk/client-sfn";
import { serve } from "@hono/node-server";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { serveStepFunctions } from "../../../local/workflow/protocol.ts";
import { world } from "./fixture.ts";
import { invokeAndWait, machine } from "./machine.ts";

/** The SDK as anybody uses it, with only its endpoint set, on an engine behind a real socket. */
async function served() {
  const tokens: string[] = [];
  const it = world({
    integrations: {
      "lambda:invoke": async (token) => {
        tokens.push(z.string().parse(token));
      },
    },
  });
  const server = serve({ fetch: serveStepFunctions(it.engine), hostname: "127.0.0.1", port: 0 });
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = z.object({ port: z.number() }).parse(server.address());
  const client = new SFNClient({
    endpoint: `http://127.0.0.1:${address.port}`,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  onTestFinished(() => client.destroy());
  const definition = JSON.stringify(
    machine({
      T: {
        Type: "Task",
        Resource: invokeAndWait,
        Arguments: "{% $states.context.Task.Token %}",
        HeartbeatSeconds: 100,
        End: true,
      },
    }),
  );
  const roleArn = "arn:aws:iam::000000000000:role/any";
  const { stateMachineArn } = await client.send(
    new CreateStateMachineCommand({ name: "saga", definition, roleArn }),
  );
  return { ...it, client, tokens, definition, stateMachineArn };
}

it("lists and describes state machines", async () => {
  const { client, stateMachineArn, definition } = await served();
  const { stateMachines } = await client.send(new ListStateMachinesCommand());
  expect(stateMachines).toEqual([
    {
      stateMachineArn,
      name: "saga",
      type: "STANDARD",
      creationDate: new Date("2026-01-01T00:00:00Z"),
    },
  ]);
  const described = await client.send(new DescribeStateMachineCommand({ stateMachineArn }));
  expect(described).toMatchObject({ status: "ACTIVE", name: "saga", definition });
});

it("starts an execution, keeps it alive, answers its token and reads its history", async () => {
  const { client, stateMachineArn, clock, tokens } = await served();
  const start = new StartExecutionCommand({ stateMachineArn, name: "op-1", input: '{"a": 1}' });
  const { executionArn, startDate } = await client.send(start);
  expect(executionArn).toBe("arn:aws:states:us-east-1:000000000000:execution:saga:op-1");
  expect(startDate).toEqual(new Date("2026-01-01T00:00:00Z"));
  expect((await client.send(start)).executionArn).toBe(executionArn);

  await clock.advance(90_000);
  const [taskToken = ""] = tokens;
  await client.send(new SendTaskHeartbeatCommand({ taskToken }));
  await clock.advance(90_000);
  const describe = new DescribeExecutionCommand({ executionArn });
  expect(await client.send(describe)).toMatchObject({ status: "RUNNING", input: '{"a": 1}' });

  await client.send(new SendTaskSuccessCommand({ taskToken, output: '"done"' }));
  await clock.advance(0);
  expect(await client.send(describe)).toMatchObject({
    status: "SUCCEEDED",
    output: '"done"',
    stopDate: new Date("2026-01-01T00:03:00Z"),
  });

  const { events } = await client.send(new GetExecutionHistoryCommand({ executionArn }));
  expect(events?.map((event) => [event.id, event.previousEventId, event.type])).toEqual([
    [1, 0, "ExecutionStarted"],
    [2, 1, "TaskStateEntered"],
    [3, 2, "TaskScheduled"],
    [4, 3, "TaskStarted"],
    [5, 4, "TaskSubmitted"],
    [6, 5, "TaskSucceeded"],
    [7, 6, "TaskStateExited"],
    [8, 7, "ExecutionSucceeded"],
  ]);
  expect(events?.at(-1)).toMatchObject({
    timestamp: new Date("2026-01-01T00:03:00Z"),
    executionSucceededEventDetails: { output: '"done"' },
  });
});

it("throws AWS's errors", async () => {
  const { client, stateMachineArn, clock, tokens } = await served();
  const start = (input: string) => new StartExecutionCommand({ stateMachineArn, name: "x", input });
  const { executionArn } = await client.send(start("1"));
  await clock.advance(0);
  const [taskToken = ""] = tokens;
  await expect(client.send(start("2"))).rejects.toMatchObject({ name: "ExecutionAlreadyExists" });
  await client.send(new SendTaskFailureCommand({ taskToken, error: "Rejected", cause: "no" }));
  await clock.advance(0);
  const described = await client.send(new DescribeExecutionCommand({ executionArn }));
  expect(described).toMatchObject({ status: "FAILED", error: "Rejected", cause: "no" });
  const again = new SendTaskSuccessCommand({ taskToken, output: "1" });
  await expect(client.send(again)).rejects.toMatchObject({ name: "TaskTimedOut" });
  const madeUp = new SendTaskSuccessCommand({ taskToken: "made-up", output: "1" });
  await expect(client.send(madeUp)).rejects.toMatchObject({ name: "InvalidToken" });
  const missing = new DescribeExecutionCommand({ executionArn: `${executionArn}-not` });
  await expect(client.send(missing)).rejects.toMatchObject({ name: "ExecutionDoesNotExist" });
  const redrive = new RedriveExecutionCommand({ executionArn });
  await expect(client.send(redrive)).rejects.toMatchObject({ name: "UnknownOperationException" });
});

it("stops executions and lists them by status", async () => {
  const { client, stateMachineArn } = await served();
  for (const name of ["one", "two"]) {
    await client.send(new StartExecutionCommand({ stateMachineArn, name }));
  }
  const executionArn = "arn:aws:states:us-east-1:000000000000:execution:saga:one";
  const stopped = await client.send(new StopExecutionCommand({ executionArn, cause: "enough" }));
  expect(stopped.stopDate).toEqual(new Date("2026-01-01T00:00:00Z"));
  const list = async (statusFilter: "RUNNING" | "ABORTED") => {
    const command = new ListExecutionsCommand({ stateMachineArn, statusFilter });
    return (await client.send(command)).executions?.map((execution) => execution.name);
  };
  expect(await list("RUNNING")).toEqual(["two"]);
  expect(await list("ABORTED")).toEqual(["one"]);
});
