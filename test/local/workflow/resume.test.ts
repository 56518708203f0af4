import { describe, expect, it } from "vitest";
import * as z from "zod";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { crashed } from "./crash.ts";
import { databaseFile, named, type World, world } from "./fixture.ts";
import { invoke, invokeAndWait } from "./machine.ts";

type Handler = (args: unknown, world: World) => Promise<unknown>;

/**
 * An engine on a file, whose only integration is `handler`. `crash` gives a second one on what the
 * first would leave if it were killed now, `down` milliseconds later; it has not resumed yet.
 */
function mortal(handler: Handler, file = databaseFile(), clock = new VirtualClock()) {
  const calls: unknown[] = [];
  const it = world({
    database: file,
    clock,
    integrations: {
      "lambda:invoke": (args) => {
        calls.push(args);
        return handler(args, it);
      },
    },
  });
  const crash = (down: number, after: Handler = handler) =>
    mortal(after, crashed(file), new VirtualClock(clock.now() + down));
  return { ...it, calls, crash };
}

const never = () => new Promise<never>(() => undefined);
const token = "{% $states.context.Task.Token %}";
const waiting = { Type: "Task", Resource: invokeAndWait, Arguments: token, End: true };
const tokenOf = (args: unknown) => z.string().parse(args);

describe("killed before the worker has answered", () => {
  it("calls the worker again, with the same token, which still counts", async () => {
    const first = mortal(never);
    const { arn } = first.start({ T: waiting });
    await first.clock.advance(0);
    const second = first.crash(1000);
    second.engine.resume();
    await second.clock.advance(0);
    expect(second.calls).toEqual(first.calls);
    second.engine.sendTaskSuccess(tokenOf(first.calls[0]), '"done"');
    expect((await second.clock.until(second.engine.settled(arn))).output).toBe('"done"');
    expect(second.types(arn)).toEqual([
      "ExecutionStarted",
      "TaskStateEntered",
      "TaskScheduled",
      "TaskStarted",
      "TaskSucceeded",
      "TaskStateExited",
      "ExecutionSucceeded",
    ]);
  });

  it("honours a token that was answered just before, even past its deadline", async () => {
    const first = mortal(never);
    const { arn } = first.start({ T: { ...waiting, TimeoutSeconds: 60 } });
    await first.clock.advance(0);
    first.engine.sendTaskSuccess(tokenOf(first.calls[0]), '"before"');
    const second = first.crash(3_600_000);
    expect(second.engine.describe(arn).status).toBe("RUNNING");
    second.engine.resume();
    expect((await second.clock.until(second.engine.settled(arn))).output).toBe('"before"');
    expect(second.calls).toEqual([]);
  });

  it("honours a token that is answered before the new engine has resumed", async () => {
    const first = mortal(never);
    const { arn } = first.start({ T: waiting });
    await first.clock.advance(0);
    const second = first.crash(1000);
    second.engine.sendTaskFailure(tokenOf(first.calls[0]), "Rejected", "no");
    second.engine.resume();
    const ended = await second.clock.until(second.engine.settled(arn));
    expect(ended).toMatchObject({ status: "FAILED", error: "Rejected", cause: "no" });
    expect(second.calls).toEqual([]);
  });

  it("calls a plain task again", async () => {
    const first = mortal(never);
    const { arn } = first.start({ T: { Type: "Task", Resource: invoke, End: true } });
    await first.clock.advance(0);
    const second = first.crash(1000, async () => "again");
    second.engine.resume();
    expect((await second.clock.until(second.engine.settled(arn))).output).toBe('"again"');
    expect(second.calls).toHaveLength(1);
  });
});

describe("killed after the worker has answered", () => {
  it("does not call it again", async () => {
    const first = mortal(async () => "submitted");
    const { arn } = first.start({ T: waiting });
    await first.clock.advance(0);
    const second = first.crash(1000);
    second.engine.resume();
    await second.clock.advance(60_000);
    expect(second.calls).toEqual([]);
    second.engine.sendTaskSuccess(tokenOf(first.calls[0]), '"done"');
    expect((await second.clock.until(second.engine.settled(arn))).output).toBe('"done"');
  });
});

describe("deadlines are absolute", () => {
  it("of a Wait", async () => {
    const first = mortal(never);
    const { arn, started } = first.start({ W: { Type: "Wait", Seconds: 100, End: true } });
    await first.clock.advance(30_000);
    const second = first.crash(20_000);
    second.engine.resume();
    const { stopped } = await second.clock.until(second.engine.settled(arn));
    expect(stopped).toBe(started + 100_000);
  });

  it("of a Wait that ended while nobody was there", async () => {
    const first = mortal(never);
    const { arn, started } = first.start({ W: { Type: "Wait", Seconds: 100, End: true } });
    await first.clock.advance(30_000);
    const second = first.crash(500_000);
    second.engine.resume();
    const { stopped } = await second.clock.until(second.engine.settled(arn));
    expect(stopped).toBe(started + 530_000);
  });

  it("of a retry, whose count goes on", async () => {
    const fail = async () => {
      throw named("Unavailable");
    };
    const first = mortal(fail);
    const Retry = [{ ErrorEquals: ["Unavailable"], IntervalSeconds: 10, MaxAttempts: 2 }];
    const Arguments = "{% $states.context.State.RetryCount %}";
    const { arn, started } = first.start({
      T: { Type: "Task", Resource: invoke, Arguments, Retry, End: true },
    });
    // The second attempt failed after 10 s; the third one is due after 30 s.
    await first.clock.advance(15_000);
    expect(first.calls).toEqual([0, 1]);
    const second = first.crash(5000);
    second.engine.resume();
    const ended = await second.clock.until(second.engine.settled(arn));
    expect(second.calls).toEqual([2]);
    expect(ended).toMatchObject({ error: "Unavailable", stopped: started + 30_000 });
  });

  it("of a token: it is refused, and the task fails without another call", async () => {
    const first = mortal(never);
    const { arn } = first.start({ T: { ...waiting, TimeoutSeconds: 60 } });
    await first.clock.advance(0);
    const second = first.crash(60_000);
    expect(() => second.engine.sendTaskSuccess(tokenOf(first.calls[0]), "1")).toThrow("Timed Out");
    second.engine.resume();
    const ended = await second.clock.until(second.engine.settled(arn));
    expect(ended.error).toBe("States.Timeout");
    expect(second.calls).toEqual([]);
  });

  it("of a heartbeat", async () => {
    const first = mortal(async () => "submitted");
    const { arn, started } = first.start({ T: { ...waiting, HeartbeatSeconds: 60 } });
    await first.clock.advance(50_000);
    first.engine.sendTaskHeartbeat(tokenOf(first.calls[0]));
    const second = first.crash(30_000);
    second.engine.resume();
    const ended = await second.clock.until(second.engine.settled(arn));
    expect(ended).toMatchObject({ error: "States.HeartbeatTimeout", stopped: started + 110_000 });
  });

  it("of the execution", async () => {
    const first = mortal(never);
    first.engine.createStateMachine("limited", {
      QueryLanguage: "JSONata",
      TimeoutSeconds: 100,
      StartAt: "W",
      States: { W: { Type: "Wait", Seconds: 500, End: true } },
    });
    const { arn, started } = first.engine.startExecution("limited");
    await first.clock.advance(1000);
    const second = first.crash(1000);
    second.engine.resume();
    const ended = await second.clock.until(second.engine.settled(arn));
    expect(ended).toMatchObject({ status: "TIMED_OUT", stopped: started + 100_000 });
  });
});

describe("what was decided stays", () => {
  it("values, variables and branches that have ended", async () => {
    const first = mortal(async (args) => args);
    const branch = (name: string, state: object) => ({ StartAt: name, States: { [name]: state } });
    const { arn } = first.start({
      Pick: { Type: "Pass", Assign: { id: "{% $uuid() %}" }, Output: "{% $now() %}", Next: "Both" },
      Both: {
        Type: "Parallel",
        Branches: [
          branch("Call", { Type: "Task", Resource: invoke, Arguments: "{% $id %}", End: true }),
          branch("Rest", { Type: "Wait", Seconds: 100, End: true }),
        ],
        Output: "{% [$states.result, $id] %}",
        End: true,
      },
    });
    await first.clock.advance(10_000);
    const second = first.crash(10_000);
    second.engine.resume();
    const { output } = await second.clock.until(second.engine.settled(arn));
    const id = tokenOf(first.calls[0]);
    expect(output).toBe(JSON.stringify([id, "2026-01-01T00:00:00.000Z", id]));
    expect(second.calls).toEqual([]);
  });

  it("the definition, although the machine has another one by now", async () => {
    const first = mortal(never);
    const { arn } = first.start({ W: { Type: "Wait", Seconds: 10, Output: "old", End: true } });
    first.engine.createStateMachine("machine-1", {
      QueryLanguage: "JSONata",
      StartAt: "New",
      States: { New: { Type: "Succeed", Output: "new" } },
    });
    const second = first.crash(0);
    second.engine.resume();
    expect((await second.clock.until(second.engine.settled(arn))).output).toBe('"old"');
    const later = second.engine.startExecution("machine-1");
    expect((await second.clock.until(second.engine.settled(later.arn))).output).toBe('"new"');
  });
});

describe("an engine that was closed", () => {
  it("leaves its executions to the next one", async () => {
    const file = databaseFile();
    const first = mortal(never, file);
    const { arn } = first.start({ W: { Type: "Wait", Seconds: 10, End: true } });
    await first.clock.advance(0);
    await first.engine.close();
    await first.engine.close();
    expect(first.clock.pending).toBe(0);
    const second = mortal(never, file, new VirtualClock(first.clock.now()));
    second.engine.resume();
    const ended = await second.clock.until(second.engine.settled(arn));
    expect(ended.status).toBe("SUCCEEDED");
    expect(second.types(arn)).toEqual([
      "ExecutionStarted",
      "WaitStateEntered",
      "WaitStateExited",
      "ExecutionSucceeded",
    ]);
  });
});
