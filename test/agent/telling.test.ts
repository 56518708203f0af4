import { expect, it } from "vitest";
import { Telling } from "../../agent/telling.ts";
import { minutes } from "../../core/clock.ts";
import type { News } from "../../core/ports/hub/news.ts";
import { newsKinds } from "../../core/ports/hub/reported-kinds.ts";
import { newsOfKind } from "../support/news.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const agentIn = (state: string, name = "agent-1", rest: object = {}): News =>
  newsOfKind("Agent", { metadata: { name }, status: { debugInfo: { state } }, ...rest });

function open() {
  const clock = new VirtualClock();
  const told: string[] = [];
  const telling = new Telling(clock, ({ object, deleted }) => {
    const { state } = (object.status as { debugInfo: { state: string } }).debugInfo;
    told.push(`${deleted ? "-" : ""}${object.metadata.name} ${state}`);
  });
  const change = (...of: Parameters<typeof agentIn>) => telling.changed(agentIn(...of));
  return { clock, telling, told, change };
}

it("reports what decides at once, and nothing twice", () => {
  const { told, change } = open();
  for (const state of ["known-unbound", "known-unbound", "binding", "error"]) change(state);
  expect(told).toEqual(["agent-1 known-unbound", "agent-1 binding", "agent-1 error"]);
});

it("reports progress after two minutes, that of all objects together and the newest of each", async () => {
  const { clock, told, change } = open();
  for (const name of ["agent-1", "agent-2"]) change("binding", name);
  told.length = 0;
  change("discovering");
  await clock.advance(minutes(1));
  change("known");
  change("installing", "agent-2");
  await clock.advance(minutes(1) - 1);
  expect(told).toEqual([]);
  await clock.advance(1);
  expect(told).toEqual(["agent-1 known", "agent-2 installing"]);
  await clock.advance(minutes(10));
  expect(told).toHaveLength(2);
});

it("reports no progress that a later turn says too, nor one that was taken back", async () => {
  const { clock, told, change } = open();
  for (const name of ["agent-1", "agent-2", "agent-3"]) change("binding", name);
  told.length = 0;
  change("installing", "agent-1");
  change("added-to-existing-cluster", "agent-1");
  change("discovering", "agent-2");
  change("binding", "agent-2");
  change("discovering", "agent-3");
  change("discovering", "agent-3", { deleted: true });
  await clock.advance(minutes(5));
  expect(told).toEqual(["agent-1 added-to-existing-cluster", "-agent-3 discovering"]);
});

it("reports an object that comes again, and nothing more once it has stopped", async () => {
  const { clock, telling, told, change } = open();
  change("binding");
  change("binding", "agent-1", { deleted: true });
  change("binding");
  expect(told).toEqual(["agent-1 binding", "-agent-1 binding", "agent-1 binding"]);
  change("installing");
  telling.stop();
  await clock.advance(minutes(5));
  expect(told).toHaveLength(3);
});

it.each(newsKinds)("reports a %s that was deleted and is there again at once", (kind) => {
  const told: boolean[] = [];
  const telling = new Telling(new VirtualClock(), ({ deleted }) => told.push(deleted));
  for (const deleted of [false, true, false]) telling.changed(newsOfKind(kind, { deleted }));
  expect(told).toEqual([false, true, false]);
});
