import { describe, expect, it } from "vitest";
import type { VirtualClock } from "../../support/virtual-clock.ts";
import { named, world } from "./fixture.ts";
import { invoke } from "./machine.ts";

/** Fails with each of these names in turn, then succeeds; notes when it was called. */
function failing(clockOf: () => VirtualClock, errors: string[]) {
  const calls: number[] = [];
  const left = [...errors];
  const handler = async () => {
    calls.push(clockOf().now());
    const error = left.shift();
    if (error !== undefined) throw named(error);
    return "done";
  };
  /** Milliseconds between one call and the next. */
  const gaps = () => calls.slice(1).map((time, index) => time - (calls[index] ?? 0));
  return { handler, calls, gaps };
}

function retrying(errors: string[], random = () => 0.5) {
  const service = failing(() => it.clock, errors);
  const it = world({ integrations: { "lambda:invoke": service.handler }, random });
  const run = (Retry: object[]) =>
    it.run({ T: { Type: "Task", Resource: invoke, Retry, End: true } });
  return { ...service, run };
}

describe("Retry", () => {
  it("tries three times more after 1, 2 and 4 seconds unless it says otherwise", async () => {
    const { run, gaps } = retrying(["E", "E", "E", "E", "E"]);
    const { error } = await run([{ ErrorEquals: ["E"] }]);
    expect(error).toBe("E");
    expect(gaps()).toEqual([1000, 2000, 4000]);
  });

  it("grows the delay up to MaxDelaySeconds", async () => {
    const { run, gaps } = retrying(["E", "E", "E", "E"]);
    const retrier = { IntervalSeconds: 2, BackoffRate: 3, MaxDelaySeconds: 10, MaxAttempts: 9 };
    const { result } = await run([{ ErrorEquals: ["States.ALL"], ...retrier }]);
    expect(result).toBe("done");
    expect(gaps()).toEqual([2000, 6000, 10_000, 10_000]);
  });

  it("takes a random part of the delay with full jitter", async () => {
    const { run, gaps } = retrying(["E", "E"], () => 0.25);
    await run([{ ErrorEquals: ["E"], IntervalSeconds: 8, JitterStrategy: "FULL" }]);
    expect(gaps()).toEqual([2000, 4000]);
  });

  it("counts for each retrier, and the first that names the error decides", async () => {
    const { run, gaps } = retrying(["A", "B", "A", "B", "A"]);
    const { error } = await run([
      { ErrorEquals: ["A"], IntervalSeconds: 1, MaxAttempts: 2 },
      { ErrorEquals: ["States.ALL"], IntervalSeconds: 100, MaxAttempts: 5 },
    ]);
    expect(gaps()).toEqual([1000, 100_000, 2000, 200_000]);
    expect(error).toBe("A");
  });

  it("does not try again what it does not name, or with MaxAttempts 0", async () => {
    const other = retrying(["E"]);
    expect((await other.run([{ ErrorEquals: ["States.Timeout"] }])).error).toBe("E");
    expect(other.calls).toHaveLength(1);
    const none = retrying(["E"]);
    expect((await none.run([{ ErrorEquals: ["E"], MaxAttempts: 0 }])).error).toBe("E");
    expect(none.calls).toHaveLength(1);
  });

  it("shows the count to the state, evaluates its arguments anew and gives it its whole time", async () => {
    const seen: unknown[] = [];
    const { run, types } = world({
      integrations: {
        "lambda:invoke": (args) => {
          seen.push(args);
          return new Promise(() => undefined);
        },
      },
    });
    const ended = await run({
      T: {
        Type: "Task",
        Resource: invoke,
        Arguments: "{% $states.context.State.RetryCount %}",
        TimeoutSeconds: 10,
        Retry: [{ ErrorEquals: ["States.Timeout"], IntervalSeconds: 5, MaxAttempts: 1 }],
        Catch: [{ ErrorEquals: ["States.ALL"], Next: "End" }],
        End: true,
      },
      End: { Type: "Succeed", Output: "given up" },
    });
    expect(seen).toEqual([0, 1]);
    expect(ended).toMatchObject({ result: "given up", stopped: ended.started + 25_000 });
    expect(types(ended.arn).filter((type) => type.startsWith("Task"))).toEqual([
      "TaskStateEntered",
      "TaskScheduled",
      "TaskStarted",
      "TaskTimedOut",
      "TaskScheduled",
      "TaskStarted",
      "TaskTimedOut",
      "TaskStateExited",
    ]);
  });
});
