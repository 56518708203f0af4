import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { hours } from "../../../core/clock.ts";
import { databaseFile, world } from "./fixture.ts";
import { machine } from "./machine.ts";

const day = hours(24);
const week = 7 * day;
const wait = (seconds: number) => ({ Wait: { Type: "Wait", Seconds: seconds, End: true } });

it("forgets what ended long ago, with its history, and nothing else", async () => {
  const database = databaseFile();
  const { clock, engine, start, run } = world({ database });
  const old = await Promise.all(Array.from({ length: 120 }, () => run(wait(1))));
  const running = start(wait(30 * 24 * 3600));
  await clock.advance(week);
  const young = await run(wait(1));
  await clock.advance(hours(1));
  await engine.prune(week);

  for (const { arn } of old) {
    expect(() => engine.describe(arn)).toThrow("Execution Does Not Exist");
    expect(() => engine.history(arn)).toThrow("Execution Does Not Exist");
  }
  expect(engine.describe(young.arn).status).toBe("SUCCEEDED");
  expect(engine.history(young.arn).at(-1)?.type).toBe("ExecutionSucceeded");
  expect(engine.describe(running.arn).status).toBe("RUNNING");
  const rows = new DatabaseSync(database, { readOnly: true });
  const of = rows.prepare("SELECT DISTINCT execution FROM events ORDER BY execution").all();
  rows.close();
  expect(of.map(({ execution }) => execution).sort()).toEqual([running.arn, young.arn].sort());
});

it("keeps the definition of an execution that runs, and the current one", async () => {
  const { clock, engine } = world();
  const define = (seconds: number) => engine.createStateMachine("changing", machine(wait(seconds)));
  define(1);
  const first = engine.startExecution("changing", "first");
  await clock.until(engine.settled(first.arn));
  define(20 * 24 * 3600);
  const second = engine.startExecution("changing", "second");
  const { arn } = define(2);
  await clock.advance(8 * day);
  await engine.prune(week);
  expect(engine.describeStateMachine(arn).text).toContain('"Seconds":2');
  await clock.advance(13 * day);
  expect(engine.describe(second.arn).status).toBe("SUCCEEDED");
});
