import { describe, expect, it } from "vitest";
import { world } from "./fixture.ts";
import { invokeAndWait, machine } from "./machine.ts";

const waiting = machine({ W: { Type: "Wait", Seconds: 10, End: true } });
const named = (name: string) => expect.objectContaining({ name });

describe("starting by name", () => {
  it("again with the same input gives the execution that runs", () => {
    const { engine } = world();
    engine.createStateMachine("m", waiting);
    const first = engine.startExecution("m", "op-1", '{"a":1}');
    expect(engine.startExecution("m", "op-1", '{"a":1}')).toEqual(first);
    expect(engine.history(first.arn).filter((e) => e.type === "ExecutionStarted")).toHaveLength(1);
  });

  it("again with another input, or when it has ended, is refused", async () => {
    const { engine, clock } = world();
    engine.createStateMachine("m", waiting);
    const { arn } = engine.startExecution("m", "op-1", "1");
    const exists = named("ExecutionAlreadyExists");
    expect(() => engine.startExecution("m", "op-1", "2")).toThrow(exists);
    await clock.until(engine.settled(arn));
    expect(() => engine.startExecution("m", "op-1", "1")).toThrow(exists);
  });

  it("refuses names, machines and inputs that AWS would refuse", () => {
    const { engine } = world();
    engine.createStateMachine("m", waiting);
    expect(() => engine.startExecution("m", "a b")).toThrow(named("InvalidName"));
    expect(() => engine.startExecution("other")).toThrow(named("StateMachineDoesNotExist"));
    const invalid = named("InvalidExecutionInput");
    expect(() => engine.startExecution("m", "op-1", "{")).toThrow(invalid);
    const large = JSON.stringify("x".repeat(262_144));
    expect(() => engine.startExecution("m", "op-1", large)).toThrow(invalid);
  });
});

describe("stopping", () => {
  it("ends every branch and tells so", async () => {
    const { engine, clock, types } = world();
    const wait = { StartAt: "W", States: { W: { Type: "Wait", Seconds: 10, End: true } } };
    engine.createStateMachine(
      "m",
      machine({ P: { Type: "Parallel", Branches: [wait, wait], End: true } }),
    );
    const { arn } = engine.startExecution("m");
    await clock.advance(0);
    expect(await engine.stopExecution(arn)).toMatchObject({ status: "ABORTED", error: null });
    expect(types(arn).slice(-4)).toEqual([
      "WaitStateAborted",
      "WaitStateAborted",
      "ParallelStateAborted",
      "ExecutionAborted",
    ]);
  });

  it("changes nothing once it is over", async () => {
    const { engine, clock } = world();
    engine.createStateMachine("m", waiting);
    const { arn } = engine.startExecution("m");
    const ended = await clock.until(engine.settled(arn));
    expect(await engine.stopExecution(arn, "Late")).toEqual(ended);
  });
});

describe("many executions", () => {
  it("run side by side, each to its own end", async () => {
    const tokens = new Map<string, string>();
    const { engine, clock } = world({
      integrations: {
        "lambda:invoke": async (args) => {
          const { order, token } = args as { order: string; token: string };
          tokens.set(order, token);
        },
      },
    });
    const Arguments = {
      order: "{% $states.input.order %}",
      token: "{% $states.context.Task.Token %}",
    };
    engine.createStateMachine(
      "m",
      machine({
        Rest: { Type: "Wait", Seconds: 60, Next: "Ask" },
        Ask: { Type: "Task", Resource: invokeAndWait, Arguments, Next: "Tell" },
        Tell: { Type: "Pass", Output: "{% $states.input & '!' %}", End: true },
      }),
    );
    const names = Array.from({ length: 400 }, (_, index) => `order-${index}`);
    for (const order of names) engine.startExecution("m", order, JSON.stringify({ order }));
    await clock.advance(60_000);
    expect(tokens.size).toBe(400);
    for (const [order, token] of tokens) engine.sendTaskSuccess(token, JSON.stringify(order));
    await clock.advance(0);
    const { arn } = engine.createStateMachine("m", waiting);
    const ended = engine.listExecutions(arn, { limit: 1000 }, "SUCCEEDED");
    expect(ended.map((execution) => execution.output)).toEqual(
      names.map((order) => `"${order}!"`).reverse(),
    );
    expect(clock.pending).toBe(0);
  });

  it("fail, and not hang, when their states go round in circles", async () => {
    const { run } = world();
    const { status, error, cause } = await run({
      A: { Type: "Pass", Next: "B" },
      B: { Type: "Pass", Next: "A" },
    });
    expect({ status, error, cause }).toEqual({
      status: "FAILED",
      error: "States.Runtime",
      cause: "The execution reached the maximum number of history events (25000).",
    });
  });
});

describe("the history", () => {
  it("has AWS's events, each naming the one before it in its branch", async () => {
    const { run, engine } = world({ integrations: { "lambda:invoke": async () => "ok" } });
    const task = {
      StartAt: "T",
      States: {
        T: {
          Type: "Task",
          Resource: "arn:aws:states:::lambda:invoke",
          Arguments: { a: 1 },
          TimeoutSeconds: 9,
          Assign: { seen: "{% $states.result %}" },
          End: true,
        },
      },
    };
    const pass = { StartAt: "P", States: { P: { Type: "Pass", End: true } } };
    const { arn } = await run({ Both: { Type: "Parallel", Branches: [task, pass], End: true } });
    const events = engine.history(arn);
    const place = new Map(events.map((event) => [event.type, event]));
    const precedes = (type: string) =>
      events[(place.get(type)?.previousEventId ?? 0) - 1]?.type ?? "nothing";
    expect(precedes("ExecutionStarted")).toBe("nothing");
    expect(precedes("TaskStateEntered")).toBe("ParallelStateStarted");
    expect(precedes("PassStateEntered")).toBe("ParallelStateStarted");
    expect(precedes("TaskScheduled")).toBe("TaskStateEntered");
    expect(precedes("TaskStateExited")).toBe("TaskSucceeded");
    expect(precedes("ExecutionSucceeded")).toBe("ParallelStateExited");
    expect(place.get("TaskScheduled")).toEqual({
      id: expect.any(Number),
      previousEventId: expect.any(Number),
      timestamp: Date.UTC(2026, 0, 1) / 1000,
      type: "TaskScheduled",
      taskScheduledEventDetails: {
        resourceType: "lambda",
        resource: "invoke",
        region: "us-east-1",
        parameters: '{"a":1}',
        timeoutInSeconds: 9,
      },
    });
    expect(place.get("TaskStateExited")).toMatchObject({
      stateExitedEventDetails: { name: "T", output: '"ok"', assignedVariables: { seen: '"ok"' } },
    });
  });
});
