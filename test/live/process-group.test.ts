import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { runInGroup } from "./process-group.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "process-group-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const bash = (script: string, until: AbortSignal) =>
  runInGroup("bash", ["-c", script, "bash", join(folder, "pids")], {
    ...{ env: process.env, until, grace: 300 },
  });
const pids = () => {
  const found = readFileSync(join(folder, "pids"), "utf8").match(/\d+/g) ?? [];
  if (found.length < 2) throw new Error("not both have started");
  return found.map(Number);
};
const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it("answers the exit code of the command", async () => {
  const { signal } = new AbortController();
  expect(await bash("exit 3", signal)).toBe(3);
});

it.each([
  ["ends at the first signal", ""],
  ["ignores the first signal", "trap '' TERM; "],
])("ends all of a group that %s", async (_, first) => {
  const stopping = new AbortController();
  const done = bash(`${first}sleep 60 & echo $$ $! >"$1"; wait`, stopping.signal);
  const started = await eventually(async () => pids());
  stopping.abort();
  expect(await done).toBeUndefined();
  await eventually(async () => expect(started.filter(isThere)).toEqual([]));
});

it("starts nothing that was ended before", async () => {
  const code = await bash('echo 1 2 >"$1"', AbortSignal.abort());
  expect(code).toBeUndefined();
  expect(pids).toThrow("no such file");
});
