import { expect, it, onTestFinished } from "vitest";
import { openSqliteStore } from "../../core/kernel/store/sqlite/sqlite.ts";
import { Process } from "../../simulate/process.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

function opened() {
  const clock = new VirtualClock();
  const process = new Process(clock);
  const seen: string[] = [];
  const note = (what: string) => () => void seen.push(what);
  return { clock, process, seen, note };
}

it("nothing of a process goes on after its end: timers, answers from outside, reads and writes", async () => {
  const { clock, process, seen, note } = opened();
  const store = openSqliteStore(":memory:");
  onTestFinished(() => store.close());
  process.uses(store);
  const answer = Promise.withResolvers<void>();
  const refusal = Promise.withResolvers<void>();
  process.after(1000, note("a timer"));
  void process.ask(() => answer.promise).then(note("an answer"));
  process.ask(() => refusal.promise).catch(note("a refusal"));
  process.end();
  answer.resolve();
  refusal.reject(new Error("refused"));
  process.after(1000, note("a timer of the dead"));
  void process.ask(async () => seen.push("a call of the dead"));
  void store.transact([{ put: { pk: "a", sk: "-" } }]).then(note("a write"));
  void store.get({ pk: "a", sk: "-" }).then(note("a read"));
  await clock.advance(2000);
  expect(seen).toEqual([]);
  expect(store.items()).toEqual([]);
});

it("while it lives it has timers, and hears answers and refusals", async () => {
  const { clock, process, seen, note } = opened();
  process.after(1000, note("a timer"));
  process.after(1000, note("a cancelled one")).cancel();
  await clock.advance(1000);
  expect(await process.ask(async () => "an answer")).toBe("an answer");
  await expect(process.ask(() => Promise.reject(new Error("refused")))).rejects.toThrow("refused");
  await expect(process.serve(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(seen).toEqual(["a timer"]);
});

it("who waits for a process from outside waits no longer than it lives", async () => {
  const { process } = opened();
  const served = process.serve(() => new Promise(() => {}));
  process.end();
  await served;
  await process.serve(() => Promise.reject(new Error("nobody works any more")));
});
