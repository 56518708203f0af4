import { expect, it } from "vitest";
import { AgentOutbox } from "../../agent/outbox.ts";
import { silent } from "../../core/log.ts";
import type { Message } from "../../core/ports/hub/news.ts";
import { eventually } from "../support/eventually.ts";
import { newsOfKind } from "../support/news.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const named = (name: string, resourceVersion = "1", deleted = false, uid = name) =>
  newsOfKind("Agent", { metadata: { name, uid, resourceVersion }, deleted });

function start(send: (message: Message) => Promise<void>, apart?: number) {
  const wall = new VirtualClock();
  const outbox = new AgentOutbox();
  const ended = new AbortController();
  const pauses = apart === undefined ? {} : { apart: { clock: wall, ms: apart } };
  const { signal } = ended;
  const done = outbox.run({ send, ...pauses, wall, random: () => 1, log: silent, signal });
  const stop = async () => {
    ended.abort(new Error("stop"));
    await done;
  };
  return { wall, outbox, stop };
}

const told = ({ news }: Message) =>
  news.map(({ object }) => `${object.metadata.name}@${object.metadata.resourceVersion}`);

it("what comes while a message is out goes with the next, in order", async () => {
  const sent: string[][] = [];
  const gate = Promise.withResolvers<void>();
  const { outbox, stop } = start(async (message) => {
    sent.push(told(message));
    if (sent.length === 1) await gate.promise;
  });
  outbox.add(named("a"));
  await eventually(() => expect(sent).toHaveLength(1));
  outbox.add(named("b"));
  outbox.add(named("c"));
  outbox.beat();
  gate.resolve();
  await eventually(() => expect(sent).toEqual([["a@1"], ["b@1", "c@1"]]));
  await stop();
});

it("after a pause the first goes at once, and what comes within a second of it together", async () => {
  const sent: string[][] = [];
  const { wall, outbox, stop } = start(async (message) => void sent.push(told(message)), 1000);
  outbox.add(named("a"));
  await wall.advance(1);
  expect(sent).toEqual([["a@1"]]);
  outbox.add(named("b", "1"));
  await wall.advance(500);
  outbox.add(named("b", "2"));
  outbox.add(named("c"));
  await wall.advance(498);
  expect(sent).toHaveLength(1);
  await wall.advance(1);
  expect(sent).toEqual([["a@1"], ["b@2", "c@1"]]);
  await wall.advance(5000);
  outbox.add(named("d"));
  await wall.advance(1);
  expect(sent.at(-1)).toEqual(["d@1"]);
  await stop();
});

it("a message that is not taken comes again until it is, and nothing overtakes it", async () => {
  const sent: string[][] = [];
  let failures = 0;
  const { wall, outbox, stop } = start(async (message) => {
    if (failures < 7) {
      failures += 1;
      throw new Error("the bus is down");
    }
    sent.push(told(message));
  });
  outbox.add(named("a", "1"));
  await eventually(() => expect(failures).toBe(1));
  outbox.add(named("a", "2"));
  while (sent.length < 2) await wall.advance(1000);
  expect(sent).toEqual([["a@1"], ["a@2"]]);
  await stop();
});

it("a newer state replaces one that still waits, but never that an earlier object is gone", async () => {
  const sent: string[][] = [];
  const gate = Promise.withResolvers<void>();
  const { outbox, stop } = start(async (message) => {
    if (message.heartbeat) await gate.promise;
    else sent.push(told(message));
  });
  outbox.beat();
  await new Promise((resolve) => setImmediate(resolve));
  outbox.add(named("a", "1"));
  outbox.add(named("b", "2", true, "old-b"));
  outbox.add(named("b", "3"));
  outbox.add(named("a", "4"));
  gate.resolve();
  await eventually(() => expect(sent).toEqual([["b@2", "b@3", "a@4"]]));
  await stop();
});

it("messages stay small", async () => {
  const sizes: number[] = [];
  const { outbox, stop } = start(async (message) => {
    sizes.push(message.news.length);
  });
  for (let n = 0; n < 250; n++) outbox.add(named(`agent-${n}`));
  await eventually(() => expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(250));
  expect(sizes).toEqual([100, 100, 50]);

  sizes.length = 0;
  const status = { text: "x".repeat(100_000) };
  for (const name of ["a", "b"]) outbox.add(newsOfKind("Agent", { metadata: { name }, status }));
  await eventually(() => expect(sizes).toEqual([1, 1]));
  await stop();
});
