import { describe, expect, it } from "vitest";
import { named, world } from "./fixture.ts";
import { invoke, invokeAndWait } from "./machine.ts";

const branch = (name: string, state: object) => ({ StartAt: name, States: { [name]: state } });

describe("Parallel", () => {
  it("runs its branches at the same time and gives their outputs in order", async () => {
    const slow = branch("Slow", { Type: "Wait", Seconds: 20, Output: "slow", End: true });
    const quick = branch("Quick", { Type: "Wait", Seconds: 10, Output: "quick", End: true });
    const ended = await world().run({
      P: {
        Type: "Parallel",
        Branches: [slow, quick],
        Assign: { all: "{% $states.result %}" },
        Next: "Show",
      },
      Show: { Type: "Pass", Output: "{% [[$states.input], [$all]] %}", End: true },
    });
    expect(ended.stopped).toBe(ended.started + 20_000);
    expect(ended.result).toEqual([
      ["slow", "quick"],
      ["slow", "quick"],
    ]);
  });

  it("gives each branch its arguments", async () => {
    const echo = branch("Echo", { Type: "Pass", End: true });
    const { result } = await world().run(
      { P: { Type: "Parallel", Arguments: "{% $states.input.a %}", Branches: [echo], End: true } },
      { a: 1 },
    );
    expect(result).toEqual([1]);
  });

  it("ends the other branches when one fails, and fails with its error", async () => {
    let token = "";
    const { start, engine, clock, types } = world({
      integrations: {
        "lambda:invoke": async (args) => {
          token = String(args);
        },
      },
    });
    const failing = {
      StartAt: "Soon",
      States: {
        Soon: { Type: "Wait", Seconds: 5, Next: "Fail" },
        Fail: { Type: "Fail", Error: "Mine", Cause: "because" },
      },
    };
    const waiting = branch("Waiting", {
      Type: "Task",
      Resource: invokeAndWait,
      Arguments: "{% $states.context.Task.Token %}",
      End: true,
    });
    const { arn } = start({
      P: {
        Type: "Parallel",
        Branches: [failing, waiting],
        Catch: [
          { ErrorEquals: ["Mine"], Output: "{% $states.errorOutput.Cause %}", Next: "Caught" },
        ],
        Next: "Caught",
      },
      Caught: { Type: "Wait", Seconds: 60, End: true },
    });
    await clock.advance(10_000);
    expect(types(arn).slice(-4)).toEqual([
      "TaskStateAborted",
      "ParallelStateFailed",
      "ParallelStateExited",
      "WaitStateEntered",
    ]);
    expect(() => engine.sendTaskSuccess(token, "1")).toThrow("Task Timed Out");
    expect((await clock.until(engine.settled(arn))).output).toBe('"because"');
  });

  it("starts its branches again on a retry", async () => {
    let calls = 0;
    const { run } = world({
      integrations: {
        "lambda:invoke": async () => {
          calls += 1;
          if (calls < 3) throw named("Unavailable");
          return calls;
        },
      },
    });
    const { result } = await run({
      P: {
        Type: "Parallel",
        Branches: [branch("T", { Type: "Task", Resource: invoke, End: true })],
        Retry: [{ ErrorEquals: ["Unavailable"] }],
        End: true,
      },
    });
    expect(result).toEqual([3]);
  });
});

describe("Map", () => {
  const each = (state: object) => ({
    ProcessorConfig: { Mode: "INLINE" },
    ...branch("Each", state),
  });

  it("runs its processor for each item, in the order of the items", async () => {
    const { result } = await world().run(
      {
        M: {
          Type: "Map",
          Items: "{% $states.input.hosts %}",
          ItemSelector: {
            host: "{% $states.context.Map.Item.Value %}",
            at: "{% $states.context.Map.Item.Index %}",
            site: "{% $states.input.site %}",
          },
          ItemProcessor: each({
            Type: "Wait",
            Seconds: "{% 10 - $states.input.at %}",
            Output:
              "{% $states.input.host & '@' & $states.input.site & $states.context.Map.Item.Index %}",
            End: true,
          }),
          End: true,
        },
      },
      { site: "s", hosts: ["a", "b", "c"] },
    );
    expect(result).toEqual(["a@s0", "b@s1", "c@s2"]);
  });

  it("runs at most MaxConcurrency at a time", async () => {
    let now = 0;
    let most = 0;
    const { run } = world({
      integrations: {
        "lambda:invoke": async () => {
          now += 1;
          most = Math.max(most, now);
          await new Promise((resolve) => setImmediate(resolve));
          now -= 1;
        },
      },
    });
    const { status } = await run(
      {
        M: {
          Type: "Map",
          MaxConcurrency: 3,
          ItemProcessor: each({ Type: "Task", Resource: invoke, End: true }),
          End: true,
        },
      },
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
    expect(status).toBe("SUCCEEDED");
    expect(most).toBe(3);
  });

  it("succeeds with nothing for no items", async () => {
    const { result } = await world().run(
      { M: { Type: "Map", ItemProcessor: each({ Type: "Pass", End: true }), End: true } },
      [],
    );
    expect(result).toEqual([]);
  });

  it("fails with the error of the first item that fails", async () => {
    const { run, types } = world();
    const { arn, error } = await run(
      {
        M: {
          Type: "Map",
          MaxConcurrency: 1,
          ItemProcessor: each({ Type: "Fail", Error: "{% 'E' & $states.input %}" }),
          End: true,
        },
      },
      [1, 2],
    );
    expect(error).toBe("E1");
    expect(types(arn)).toEqual([
      "ExecutionStarted",
      "MapStateEntered",
      "MapStateStarted",
      "MapIterationStarted",
      "FailStateEntered",
      "MapIterationFailed",
      "MapStateFailed",
      "ExecutionFailed",
    ]);
  });

  it("refuses items that are no array", async () => {
    const { error } = await world().run(
      { M: { Type: "Map", ItemProcessor: each({ Type: "Pass", End: true }), End: true } },
      { not: "an array" },
    );
    expect(error).toBe("States.QueryEvaluationError");
  });
});
