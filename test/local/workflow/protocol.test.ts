import { describe, expect, it } from "vitest";
import * as z from "zod";
import { serveStepFunctions } from "../../../local/workflow/protocol.ts";
import { world } from "./fixture.ts";
import { machine } from "./machine.ts";

const prefix = "arn:aws:states:us-east-1:000000000000";

/** What the tests look at, of all answers. */
const reply = z.object({
  __type: z.string().optional(),
  message: z.string().optional(),
  stateMachineArn: z.string().optional(),
  executions: z.array(z.object({ name: z.string() })).default([]),
  events: z.array(z.object({ type: z.string() })).default([]),
  nextToken: z.string().optional(),
});

function service() {
  const it = world();
  const serve = serveStepFunctions(it.engine);
  const send = async (operation: string, body: string) => {
    const headers = { "x-amz-target": `AWSStepFunctions.${operation}` };
    const request = new Request("http://localhost/", { method: "POST", headers, body });
    const response = await serve(request);
    return { status: response.status, body: reply.parse(await response.json()) };
  };
  const call = (operation: string, body: object) => send(operation, JSON.stringify(body));
  return { ...it, send, call };
}

describe("a request that is refused", () => {
  it.each<[string, string, object, string, RegExp]>([
    [
      "an operation that is not served",
      "RedriveExecution",
      { executionArn: `${prefix}:execution:m:n` },
      "UnknownOperationException",
      /RedriveExecution/,
    ],
    [
      "a missing field",
      "StartExecution",
      {},
      "ValidationException",
      /^1 validation error detected: Value null at 'stateMachineArn' failed to satisfy constraint: Member must not be null$/,
    ],
    [
      "a field of another type",
      "StartExecution",
      { stateMachineArn: 7 },
      "SerializationException",
      /stateMachineArn/,
    ],
    [
      "a value outside its range",
      "ListStateMachines",
      { maxResults: 1001 },
      "ValidationException",
      /'maxResults'/,
    ],
    [
      "another thing's ARN",
      "DescribeExecution",
      { executionArn: `${prefix}:stateMachine:m` },
      "InvalidArn",
      /Invalid Arn/,
    ],
    [
      "no ARN",
      "DescribeExecution",
      { executionArn: "m" },
      "InvalidArn",
      /Invalid Arn: 'Invalid ARN prefix: m'/,
    ],
    [
      "an execution that does not exist",
      "GetExecutionHistory",
      { executionArn: `${prefix}:execution:m:n` },
      "ExecutionDoesNotExist",
      /^Execution Does Not Exist: '.*:execution:m:n'$/,
    ],
    [
      "a machine that does not exist",
      "ListExecutions",
      { stateMachineArn: `${prefix}:stateMachine:m` },
      "StateMachineDoesNotExist",
      /^State Machine Does Not Exist: '.*:stateMachine:m'$/,
    ],
    [
      "a token that nobody gave out",
      "SendTaskHeartbeat",
      { taskToken: "made-up" },
      "InvalidToken",
      /Invalid Token/,
    ],
    [
      "a page that nobody gave out",
      "ListStateMachines",
      { nextToken: "made-up" },
      "InvalidToken",
      /Invalid Token/,
    ],
  ])("%s", async (_, operation, request, type, message) => {
    const { status, body } = await service().call(operation, request);
    expect({ status, type: body.__type }).toEqual({ status: 400, type });
    expect(body.message).toMatch(message);
  });

  it("text that is not JSON", async () => {
    const { status, body } = await service().send("ListStateMachines", "{");
    expect({ status, type: body.__type }).toEqual({ status: 400, type: "SerializationException" });
  });

  it("a body that is no object", async () => {
    const { body } = await service().send("ListStateMachines", "[]");
    expect(body.__type).toBe("SerializationException");
  });

  it("an output that is no JSON, and an invalid definition", async () => {
    const { call } = service();
    const definition = JSON.stringify({ StartAt: "S", States: {} });
    const created = await call("CreateStateMachine", {
      name: "m",
      definition,
      roleArn: "arn:aws:iam::000000000000:role/r",
    });
    expect(created.body.__type).toBe("InvalidDefinition");
  });
});

describe("creating a state machine", () => {
  it("again is the same; with another definition it is refused", async () => {
    const { call } = service();
    const roleArn = "arn:aws:iam::000000000000:role/r";
    const definition = JSON.stringify(machine({ S: { Type: "Succeed" } }));
    const first = await call("CreateStateMachine", { name: "m", definition, roleArn });
    expect(first.body.stateMachineArn).toBe(`${prefix}:stateMachine:m`);
    expect(await call("CreateStateMachine", { name: "m", definition, roleArn })).toEqual(first);
    const other = JSON.stringify(machine({ T: { Type: "Succeed" } }));
    const second = await call("CreateStateMachine", { name: "m", definition: other, roleArn });
    expect(second.body.__type).toBe("StateMachineAlreadyExists");
  });
});

describe("lists", () => {
  it("go through all pages, and give nothing twice", async () => {
    const { engine, call, clock } = service();
    const definition = machine({ W: { Type: "Wait", Seconds: "{% $states.input %}", End: true } });
    const { arn: stateMachineArn } = engine.createStateMachine("m", definition);
    for (let n = 0; n < 25; n += 1) engine.startExecution("m", `e-${n}`, String(n % 2));
    await clock.advance(0);
    const collect = async (request: object) => {
      const names: string[] = [];
      let nextToken: string | undefined;
      do {
        const { body } = await call("ListExecutions", {
          stateMachineArn,
          maxResults: 4,
          ...request,
          nextToken,
        });
        for (const execution of body.executions) names.push(execution.name);
        nextToken = body.nextToken;
      } while (nextToken !== undefined);
      return names;
    };
    const all = Array.from({ length: 25 }, (_, n) => `e-${n}`).reverse();
    expect(await collect({})).toEqual(all);
    const even = (name: string) => Number(name.slice(2)) % 2 === 0;
    expect(await collect({ statusFilter: "SUCCEEDED" })).toEqual(all.filter(even));
    expect(await collect({ statusFilter: "RUNNING" })).toEqual(all.filter((name) => !even(name)));
    expect(await collect({ statusFilter: "PENDING_REDRIVE" })).toEqual([]);
  });

  it("show a history forwards and backwards, page by page", async () => {
    const { run, call, types } = service();
    const { arn: executionArn } = await run({
      A: { Type: "Pass", Next: "B" },
      B: { Type: "Pass", Next: "C" },
      C: { Type: "Succeed" },
    });
    const collect = async (reverseOrder: boolean) => {
      const found: string[] = [];
      let nextToken: string | undefined;
      do {
        const request = { executionArn, maxResults: 3, reverseOrder, nextToken };
        const { body } = await call("GetExecutionHistory", request);
        for (const event of body.events) found.push(event.type);
        nextToken = body.nextToken;
      } while (nextToken !== undefined);
      return found;
    };
    expect(await collect(false)).toEqual(types(executionArn));
    expect(await collect(true)).toEqual(types(executionArn).reverse());
  });
});
