import { describe, expect, it } from "vitest";
import { named, world } from "./fixture.ts";
import { invoke } from "./machine.ts";

const never = () => new Promise<never>(() => undefined);

describe("a task", () => {
  it("calls the integration with its arguments and goes on with the result", async () => {
    const { run, types } = world({
      integrations: { "lambda:invoke": async (args) => ({ StatusCode: 200, Payload: args }) },
    });
    const { arn, result } = await run(
      {
        T: {
          Type: "Task",
          Resource: invoke,
          Arguments: { FunctionName: "f", Payload: "{% $states.input.order %}" },
          Assign: { order: "{% $states.result.Payload.Payload %}" },
          Output: "{% $states.result.StatusCode %}",
          Next: "Show",
        },
        Show: { Type: "Pass", Output: "{% [$states.input, $order] %}", End: true },
      },
      { order: "o-1" },
    );
    expect(result).toEqual([200, "o-1"]);
    expect(types(arn)).toEqual([
      "ExecutionStarted",
      "TaskStateEntered",
      "TaskScheduled",
      "TaskStarted",
      "TaskSucceeded",
      "TaskStateExited",
      "PassStateEntered",
      "PassStateExited",
      "ExecutionSucceeded",
    ]);
  });

  it("has the result as its output, null when there is none", async () => {
    const { run } = world({ integrations: { "lambda:invoke": async () => undefined } });
    const { result } = await run({ T: { Type: "Task", Resource: invoke, End: true } });
    expect(result).toBeNull();
  });

  it("fails with the name of what the handler threw, and the cause as Lambda writes it", async () => {
    const { run, engine } = world({
      integrations: { "lambda:invoke": () => Promise.reject(named("Rejected", "no such VLAN")) },
    });
    const ended = await run({ T: { Type: "Task", Resource: invoke, End: true } });
    const failure = {
      error: "Rejected",
      cause: '{"errorType":"Rejected","errorMessage":"no such VLAN"}',
    };
    expect(ended).toMatchObject({ status: "FAILED", ...failure });
    const events = engine.history(ended.arn);
    expect(events.find((event) => event.type === "TaskFailed")).toMatchObject({
      taskFailedEventDetails: { resourceType: "lambda", resource: "invoke", ...failure },
    });
  });

  it("fails with States.Timeout when its time is over, and a later answer changes nothing", async () => {
    let answer: (value: string) => void = () => undefined;
    const { run, clock, types } = world({
      integrations: { "lambda:invoke": () => new Promise((resolve) => (answer = resolve)) },
    });
    const TimeoutSeconds = "{% $states.input.limit %}";
    const ended = await run(
      { T: { Type: "Task", Resource: invoke, TimeoutSeconds, End: true } },
      { limit: 30 },
    );
    expect(ended).toMatchObject({ error: "States.Timeout", stopped: ended.started + 30_000 });
    const before = types(ended.arn);
    expect(before).toContain("TaskTimedOut");
    answer("late");
    await clock.advance(1000);
    expect(types(ended.arn)).toEqual(before);
  });

  it("does not end the call when it times out; closing the engine does", async () => {
    let signal: AbortSignal | undefined;
    const { run, engine } = world({
      integrations: {
        "lambda:invoke": (_, given) => {
          signal = given;
          return never();
        },
      },
    });
    await run({ T: { Type: "Task", Resource: invoke, TimeoutSeconds: 1, End: true } });
    expect(signal?.aborted).toBe(false);
    await engine.close();
    expect(signal?.aborted).toBe(true);
  });

  it("refuses a TimeoutSeconds that is not a positive integer", async () => {
    const { run } = world({ integrations: { "lambda:invoke": never } });
    const TimeoutSeconds = "{% 0 %}";
    const ended = await run({ T: { Type: "Task", Resource: invoke, TimeoutSeconds, End: true } });
    expect(ended.error).toBe("States.QueryEvaluationError");
  });
});

describe("Catch", () => {
  const states = (ErrorEquals: string[]) => ({
    T: {
      Type: "Task",
      Resource: invoke,
      Catch: [
        {
          ErrorEquals,
          Assign: { failure: "{% $states.errorOutput %}" },
          Output: "{% $states.context.State.Name & ' with ' & $string($states.input) %}",
          Next: "Undo",
        },
      ],
      Next: "Undo",
    },
    Undo: { Type: "Pass", Output: "{% [$states.input, $failure] %}", End: true },
  });

  it.each([["Rejected"], ["States.TaskFailed"], ["States.ALL"]])(
    "by %s leads on with Output and Assign",
    async (name) => {
      const { run } = world({
        integrations: { "lambda:invoke": () => Promise.reject(named("Rejected", "no")) },
      });
      const { result } = await run(states([name]), { a: 1 });
      const Cause = '{"errorType":"Rejected","errorMessage":"no"}';
      expect(result).toEqual(['T with {"a":1}', { Error: "Rejected", Cause }]);
    },
  );

  it("leaves other errors alone", async () => {
    const { run } = world({
      integrations: { "lambda:invoke": () => Promise.reject(named("Rejected")) },
    });
    expect((await run(states(["Unavailable", "States.Timeout"]))).error).toBe("Rejected");
  });

  it("has the error output as its output when it says none", async () => {
    const { run } = world({ integrations: { "lambda:invoke": never } });
    const { result } = await run({
      T: {
        Type: "Task",
        Resource: invoke,
        TimeoutSeconds: 5,
        Catch: [
          { ErrorEquals: ["States.TaskFailed"], Output: "wrong", Next: "End" },
          { ErrorEquals: ["States.Timeout"], Next: "End" },
        ],
        Next: "End",
      },
      End: { Type: "Succeed" },
    });
    expect(result).toEqual({ Error: "States.Timeout", Cause: "" });
  });
});
