import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { databaseFile, world } from "./fixture.ts";

const script = fileURLToPath(new URL("killed-engine.ts", import.meta.url));
const arn = "arn:aws:states:us-east-1:000000000000:execution:mortal:one";

/** Runs an engine in a process of its own until its task is called, kills it, and gives the token. */
async function killedEngine(database: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [script, database, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [token] = await once(createInterface(child.stdout), "line");
  child.kill("SIGKILL");
  await once(child, "exit");
  return String(token);
}

function successor(database: string) {
  const tokens: unknown[] = [];
  const it = world({
    database,
    clock: new VirtualClock(Date.now()),
    integrations: {
      "lambda:invoke": async (token) => {
        tokens.push(token);
      },
    },
  });
  return { ...it, tokens };
}

it("honours the answer that a killed process took", async () => {
  const database = databaseFile();
  await killedEngine(database, "answers");
  const { engine, clock, tokens } = successor(database);
  engine.resume();
  expect((await clock.until(engine.settled(arn))).output).toBe('"answered by the dead"');
  expect(tokens).toEqual([]);
});

it("calls again what a killed process had called", async () => {
  const database = databaseFile();
  const token = await killedEngine(database);
  const { engine, clock, tokens } = successor(database);
  engine.resume();
  await clock.advance(0);
  expect(tokens).toEqual([token]);
  engine.sendTaskSuccess(token, '"answered later"');
  expect((await clock.until(engine.settled(arn))).output).toBe('"answered later"');
});
