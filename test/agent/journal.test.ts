import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { Journal } from "../../agent/journal.ts";
import { AgentOutbox } from "../../agent/outbox.ts";
import { AppError } from "../../core/error.ts";
import { type Log, silent } from "../../core/log.ts";
import type { Message } from "../../core/ports/hub/news.ts";
import { eventually } from "../support/eventually.ts";
import { temporaryFolder } from "../support/home.ts";
import { newsOfKind } from "../support/news.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

/** The queue on disk: what one outbox has not got rid of, the next one finds. */

let folder: string;
let said: string[];
const log: Log = {
  ...silent,
  warn: (_, message) => said.push(message),
  error: (_, message) => said.push(message),
};

beforeEach(() => {
  folder = temporaryFolder();
  said = [];
});

const file = () => join(folder, "queue.jsonl");
const open = (limit = 1_000_000) => new AgentOutbox(new Journal({ folder, limit, log }));
const named = (name: string, resourceVersion = "1", deleted = false) =>
  newsOfKind("Agent", { metadata: { name, uid: name, resourceVersion }, deleted });
const line = ({ news }: Message) =>
  news.map(
    ({ deleted, object }) =>
      `${deleted ? "-" : ""}${object.metadata.name}@${object.metadata.resourceVersion}`,
  );

/** Sends until `send` has been called as often as that, then ends as a killed process does. */
async function sendFrom(outbox: AgentOutbox, calls: number, send = async (_: Message) => {}) {
  const sent: string[][] = [];
  const ended = new AbortController();
  const reached = Promise.withResolvers<void>();
  const done = outbox.run({
    send: async (message) => {
      sent.push(line(message));
      if (sent.length === calls) reached.resolve();
      await send(message);
    },
    wall: new VirtualClock(),
    random: () => 1,
    log,
    signal: ended.signal,
  });
  await reached.promise;
  return {
    sent,
    stop: async () => {
      ended.abort(new Error("stop"));
      await done;
    },
  };
}

/** What a new process would send first. */
async function leftBehind(): Promise<string[]> {
  const outbox = open();
  if (outbox.size === 0) return [];
  const { sent, stop } = await sendFrom(outbox, 1, async () => {
    throw new Error("home is unreachable");
  });
  await stop();
  return sent[0] ?? [];
}

it("hands on what was not taken, in order, the newest of each object", async () => {
  const outbox = open();
  for (const version of ["1", "2"]) outbox.add(named("a", version));
  outbox.add(named("b", "3"));
  outbox.add(named("a", "4", true));
  expect(await leftBehind()).toEqual(["b@3", "-a@4"]);
  expect(await leftBehind()).toEqual(["b@3", "-a@4"]);
});

it("hands on what is out when the process dies, with what came in meanwhile", async () => {
  const outbox = open();
  outbox.add(named("a", "1"));
  const gate = Promise.withResolvers<void>();
  const { stop } = await sendFrom(outbox, 1, () => gate.promise);
  outbox.add(named("b", "2"));
  expect(await leftBehind()).toEqual(["a@1", "b@2"]);
  gate.resolve();
  await eventually(() => expect(outbox.size).toBe(0));
  await stop();
});

it("forgets what was taken", async () => {
  const outbox = open();
  outbox.add(named("a", "1"));
  let taken = 0;
  const { stop } = await sendFrom(outbox, 2, async ({ news }) => {
    if (taken > 0) throw new Error("home is unreachable");
    taken += news.length;
    outbox.add(named("b", "2"));
    outbox.add(named("a", "3"));
  });
  await stop();
  expect(await leftBehind()).toEqual(["b@2", "a@3"]);
});

it("does not send again what was taken last, when nothing newer of it came", async () => {
  const outbox = open();
  outbox.add(named("a", "1"));
  outbox.add(named("b", "2"));
  let taken = 0;
  const { stop } = await sendFrom(outbox, 2, async () => {
    taken += 1;
    if (taken > 1) throw new Error("home is unreachable");
    outbox.add(named("c", "3"));
  });
  await stop();
  expect(await leftBehind()).toEqual(["c@3"]);
});

it("is empty when nothing waits", async () => {
  const outbox = open();
  for (let n = 0; n < 250; n++) outbox.add(named(`agent-${n}`));
  const { stop } = await sendFrom(outbox, 3);
  await outbox.emptied();
  await stop();
  expect(statSync(file()).size).toBe(0);
  expect(await leftBehind()).toEqual([]);
});

it("stays bounded when it is full: it keeps the newest of each object, and says so", async () => {
  const limit = 10_000;
  const outbox = open(limit);
  outbox.add(named("gone", "1", true));
  for (let n = 2; n <= 1000; n++) {
    outbox.add(named(n % 2 === 0 ? "a" : "b", String(n)));
    expect(statSync(file()).size).toBeLessThanOrEqual(limit);
  }
  expect(new Set(said)).toEqual(
    new Set(["the queue is full: only the newest report of each object is kept"]),
  );
  expect(await leftBehind()).toEqual(["-gone@1", "b@999", "a@1000"]);
});

it("loses nothing although more objects wait than fit", async () => {
  const outbox = open(1000);
  for (let n = 1; n <= 300; n++) outbox.add(named(`agent-${n % 60}`, String(n)));
  const left = await leftBehind();
  expect(left).toHaveLength(60);
  expect(left.at(-1)).toBe("agent-0@300");
  // Twice what one news of each takes.
  expect(said.length).toBeLessThan(30);
});

it("skips an end that was cut off, and what follows is not glued to it", async () => {
  open().add(named("a", "1"));
  appendFileSync(file(), '{"n":2,"news":{"kind":"Agent","dele');
  const outbox = open();
  outbox.add(named("b", "2"));
  expect(await leftBehind()).toEqual(["a@1", "b@2"]);
  expect(said).toContain("lines of the queue are unreadable");
});

it("goes on from memory when the disk fails, and is whole again once it can be", async () => {
  const journal = new Journal({ folder, limit: 200, log });
  const outbox = new AgentOutbox(journal);
  rmSync(folder, { recursive: true });
  // The file that is open takes some more; then it is full.
  for (let n = 1; n <= 5; n++) outbox.add(named("a", String(n)));
  expect(journal.isWhole).toBe(false);
  expect(said).toContain("the queue cannot be written: reports are in memory only");
  expect(outbox.size).toBe(1);

  mkdirSync(folder);
  outbox.add(named("b", "6"));
  expect(journal.isWhole).toBe(true);
  expect(await leftBehind()).toEqual(["a@5", "b@6"]);
});

it("nobody else may read the file", () => {
  open().add(named("a"));
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(readFileSync(file(), "utf8").trim().split("\n")).toHaveLength(1);
});

it("a file that says nothing sensible is no news", async () => {
  writeFileSync(file(), '[]\n{"n":-1}\nnull\n{"taken":7}\n');
  expect(await leftBehind()).toEqual([]);
});

it("leaves out what is refused, and nothing else, and says what", async () => {
  const outbox = open();
  for (let n = 1; n <= 7; n++) outbox.add(named(`agent-${n}`));
  const taken: string[] = [];
  const { stop } = await sendFrom(outbox, 1, async (message) => {
    if (line(message).includes("agent-5@1")) throw new AppError("Rejected", "never");
    taken.push(...line(message));
  });
  await outbox.emptied();
  await stop();
  expect(taken).toEqual([1, 2, 3, 4, 6, 7].map((n) => `agent-${n}@1`));
  expect(said).toEqual(["a report was refused and dropped"]);
  expect(await leftBehind()).toEqual([]);
});
