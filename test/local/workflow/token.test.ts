import { describe, expect, it } from "vitest";
import * as z from "zod";
import { named, world } from "./fixture.ts";
import { invokeAndWait } from "./machine.ts";

const token = "{% $states.context.Task.Token %}";
const waiting = { Type: "Task", Resource: invokeAndWait, Arguments: { token }, End: true };

const ignore = () => undefined;

/** Resolves after so many turns of the microtask queue. */
async function afterTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
}

/** A world whose worker notes the tokens it was given and then does as `worker` says. */
function tokenWorld(worker: (token: string) => Promise<unknown> = async () => "submitted") {
  const tokens: string[] = [];
  const it = world({
    integrations: {
      "lambda:invoke": (args) => {
        const given = z.object({ token: z.string() }).parse(args).token;
        tokens.push(given);
        return worker(given);
      },
    },
  });
  /** Starts one waiting task; resolves when its token is there. */
  const wait = async (fields: object = {}) => {
    const { arn } = it.start({ T: { ...waiting, ...fields } });
    await it.clock.advance(0);
    return { arn, token: tokens.at(-1) ?? "" };
  };
  return { ...it, tokens, wait };
}

describe("a task that waits for its token", () => {
  it("goes on with the output that is sent", async () => {
    const { engine, clock, wait, types } = tokenWorld();
    const { arn, token } = await wait();
    await clock.advance(86_400_000);
    expect(engine.describe(arn).status).toBe("RUNNING");
    engine.sendTaskSuccess(token, '{"vlan": 7}');
    const { output } = await clock.until(engine.settled(arn));
    expect(output).toBe('{"vlan":7}');
    expect(types(arn)).toEqual([
      "ExecutionStarted",
      "TaskStateEntered",
      "TaskScheduled",
      "TaskStarted",
      "TaskSubmitted",
      "TaskSucceeded",
      "TaskStateExited",
      "ExecutionSucceeded",
    ]);
  });

  it("fails with the error that is sent", async () => {
    const { engine, clock, wait } = tokenWorld();
    const { arn, token } = await wait();
    engine.sendTaskFailure(token, "Rejected", "no such network");
    const ended = await clock.until(engine.settled(arn));
    expect(ended).toMatchObject({ status: "FAILED", error: "Rejected", cause: "no such network" });
  });

  it("honours an answer that comes before the call has returned", async () => {
    const { engine, clock, start } = tokenWorld(async (token) => {
      engine.sendTaskSuccess(token, '"early"');
      await new Promise(() => undefined);
    });
    const { arn } = start({ T: waiting });
    expect((await clock.until(engine.settled(arn))).output).toBe('"early"');
  });

  it("honours an answer although the call failed after it", async () => {
    const { engine, clock, start } = tokenWorld(async (token) => {
      engine.sendTaskSuccess(token, '"early"');
      throw named("Unavailable");
    });
    const { arn } = start({ T: waiting });
    expect((await clock.until(engine.settled(arn))).output).toBe('"early"');
  });

  it("honours every answer that it took, however close the call's failure", async () => {
    for (let turns = 0; turns < 30; turns += 1) {
      let taken = false;
      const { engine, clock, start } = tokenWorld(async (token) => {
        void afterTurns(turns)
          .then(() => engine.sendTaskSuccess(token, '"taken"'))
          .then(() => {
            taken = true;
          }, ignore);
        throw named("Unavailable");
      });
      const { arn } = start({ T: waiting });
      const { output } = await clock.until(engine.settled(arn));
      expect(output, `${turns} turns after the failure`).toBe(taken ? '"taken"' : null);
    }
  });

  it("fails when the call fails, and the token is worth nothing after", async () => {
    const { engine, clock, start, tokens } = tokenWorld(() =>
      Promise.reject(named("Unavailable", "hub is unreachable")),
    );
    const { arn } = start({ T: waiting });
    expect(await clock.until(engine.settled(arn))).toMatchObject({ error: "Unavailable" });
    expect(() => engine.sendTaskSuccess(tokens[0] ?? "", "1")).toThrow(timedOut);
  });

  it("times out at its deadline, and not one moment earlier", async () => {
    const { engine, clock, wait } = tokenWorld();
    const { arn, token } = await wait({ TimeoutSeconds: 60 });
    await clock.advance(59_999);
    expect(engine.describe(arn).status).toBe("RUNNING");
    await clock.advance(1);
    expect(engine.describe(arn)).toMatchObject({ status: "FAILED", error: "States.Timeout" });
    expect(() => engine.sendTaskSuccess(token, "1")).toThrow(timedOut);
  });

  it("gets a new token with each attempt", async () => {
    const { engine, clock, wait, tokens } = tokenWorld();
    const { arn } = await wait({
      TimeoutSeconds: 60,
      Retry: [{ ErrorEquals: ["States.Timeout"], IntervalSeconds: 1 }],
    });
    await clock.advance(61_000);
    expect(new Set(tokens).size).toBe(2);
    engine.sendTaskSuccess(tokens[1] ?? "", '"second"');
    expect((await clock.until(engine.settled(arn))).output).toBe('"second"');
  });
});

const timedOut = expect.objectContaining({
  name: "TaskTimedOut",
  message: "Task Timed Out: 'Provided task does not exist anymore'",
});

describe("heartbeats", () => {
  it("keep the task waiting; without one it fails", async () => {
    const { engine, clock, wait } = tokenWorld();
    const { arn, token } = await wait({ HeartbeatSeconds: 10 });
    for (let beat = 0; beat < 5; beat += 1) {
      await clock.advance(9_000);
      engine.sendTaskHeartbeat(token);
    }
    await clock.advance(9_999);
    expect(engine.describe(arn).status).toBe("RUNNING");
    await clock.advance(1);
    expect(engine.describe(arn)).toMatchObject({ error: "States.HeartbeatTimeout" });
    expect(() => engine.sendTaskHeartbeat(token)).toThrow(timedOut);
  });

  it("are taken where none are asked for", async () => {
    const { engine, wait } = tokenWorld();
    const { token } = await wait();
    expect(() => engine.sendTaskHeartbeat(token)).not.toThrow();
  });
});

describe("a token", () => {
  it("takes one answer", async () => {
    const { engine, wait } = tokenWorld();
    const { token } = await wait();
    engine.sendTaskSuccess(token, "1");
    expect(() => engine.sendTaskSuccess(token, "2")).toThrow(timedOut);
    expect(() => engine.sendTaskFailure(token, "E")).toThrow(timedOut);
  });

  it("that nobody gave out is invalid", () => {
    const { engine } = tokenWorld();
    const invalid = expect.objectContaining({ name: "InvalidToken" });
    expect(() => engine.sendTaskSuccess("made-up", "1")).toThrow(invalid);
  });

  it("is closed when its execution is stopped", async () => {
    const { engine, wait, types } = tokenWorld();
    const { arn, token } = await wait();
    const stopped = await engine.stopExecution(arn, "Mine", "enough");
    expect(stopped).toMatchObject({ status: "ABORTED", error: "Mine", cause: "enough" });
    expect(types(arn).slice(-2)).toEqual(["TaskStateAborted", "ExecutionAborted"]);
    expect(() => engine.sendTaskSuccess(token, "1")).toThrow(timedOut);
  });

  it("takes only JSON", async () => {
    const { engine, wait } = tokenWorld();
    const { token } = await wait();
    const refused = expect.objectContaining({ name: "InvalidOutput" });
    expect(() => engine.sendTaskSuccess(token, "{")).toThrow(refused);
  });
});
