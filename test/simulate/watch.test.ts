import { expect, it } from "vitest";
import { hours, minutes, timestamp } from "../../core/clock.ts";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import { objectKey } from "../../core/kernel/object/keys.ts";
import { newEntry, withEntry } from "../../core/kernel/saga/entry.ts";
import type { Operation, StepEntry } from "../../core/kernel/saga/operation.ts";
import type { StreamRecord } from "../../core/kernel/store/store.ts";
import { DeadHosts } from "../../simulate/dead-hosts.ts";
import { Refusals } from "../../simulate/refusals.ts";
import { Trace } from "../../simulate/trace.ts";
import { type Stuck, Watch } from "../../simulate/watch.ts";
import { testDeps } from "../support/deps.ts";
import { startOrder } from "../support/placement.ts";

/** An operation whose changes a watch sees when `tell` says so. */
async function watched() {
  const deps = testDeps();
  const { clock } = deps;
  const { operation: id } = await startOrder(deps, "one", { small: 1 });
  const refusals = new Refusals(clock);
  const stuck: Stuck[] = [];
  const trace = new Trace();
  const watch = new Watch(
    clock,
    { refusals, deadHosts: new DeadHosts(clock) },
    trace,
    (found) => void stuck.push(found),
  );
  let [last, told] = ["0", [] as StreamRecord[]];
  const tell = () => {
    told = deps.store.stream(last, 100);
    last = told.at(-1)?.sequence ?? last;
    for (const record of told) watch.see(record);
  };
  const edit = async (changed: (operation: Operation) => Operation) => {
    await changeObject(deps, "operation", id, changed);
    tell();
  };
  const step = (name: string, entry: Partial<StepEntry>) =>
    edit((operation) => withEntry(operation, name, { ...newEntry(0), ...entry }));
  const state = (status: Partial<Operation["status"]>) =>
    edit((operation) => ({ ...operation, status: { ...operation.status, ...status } }));
  tell();
  return {
    ...{ id, clock, refusals, stuck, trace, watch, edit, step, state },
    now: () => timestamp(clock.now()),
    tell,
    /** A change that is written, and that the stream brings later. */
    async write(name: string, entry: Partial<StepEntry>) {
      await changeObject(deps, "operation", id, (operation) =>
        withEntry(operation, name, { ...newEntry(0), ...entry }),
      );
      const put = await deps.store.get(objectKey("operation", id));
      if (put) watch.wrote([{ put }]);
    },
    /** The stream brings its last batch again. */
    tellAgain() {
      for (const record of told) watch.see(record);
    },
  };
}

it("an operation is open until it ends, and its end counts once, however often it is told", async () => {
  const { id, watch, state, edit, tellAgain } = await watched();
  expect([...watch.open.keys()]).toEqual([id]);
  await edit((operation) => ({
    ...operation,
    failure: { step: "AttachHosts", kind: "Rejected", message: "port 17 is broken" },
  }));
  await state({ state: "FAILED" });
  tellAgain();
  await edit((operation) => ({ ...operation, swept: true }));
  expect(watch.open.size).toBe(0);
  expect(watch.ended).toEqual({ "cluster-create FAILED": 1 });
  expect(watch.failures).toEqual({ "cluster-create, AttachHosts: port … is broken": 1 });
});

it("adds up what open steps wait for, by cause", async () => {
  const { clock, watch, step } = await watched();
  const start_time = timestamp(clock.now());
  const open = { start_time, system: "DNS" };
  await step("CreateDnsRecords", { ...open, state: "RUNNING" });
  await clock.advance(minutes(1));
  await step("CreateDnsRecords", { ...open, state: "WAITING", message: "3 servers" });
  await clock.advance(minutes(2));
  await step("CreateDnsRecords", { ...open, state: "SUCCEEDED" });
  await clock.advance(minutes(4));
  await step("AttachHosts", { ...open, state: "RUNNING" });
  expect(watch.waits).toEqual({ "DNS: at work": minutes(1), "DNS: … servers": minutes(2) });
});

const failure = { step: "Undo AttachHosts", kind: "Rejected", message: "no" };

it.each([
  ["after a refusal of its own step", true, "Undo AttachHosts"],
  ["after a refusal of another step", false, "Undo CreateDnsRecords"],
  ["after no refusal", false, undefined],
])("an operation is stuck %s: expected %s", async (_, isExpected, refused) => {
  const { id, refusals, stuck, step, state, now } = await watched();
  if (refused) refusals.note(422, { operation: id, step: refused });
  await step(failure.step, { state: "FAILED", end_time: now(), message: "no" });
  await state({ state: "STUCK", failure });
  // It is seen again while it is stuck.
  await step(failure.step, { state: "FAILED", end_time: now(), attempts: 2 });
  expect(stuck).toEqual([
    {
      ...{ id, tenant: "tenant-a", isExpected },
      why: "cluster-create, Undo AttachHosts: Rejected: no",
    },
  ]);
});

it("it is late when a step is open past its time, but not after a person has had it go on", async () => {
  const { id, clock, watch, step, now } = await watched();
  const deadline = timestamp(clock.now() + minutes(30));
  await step("JoinNodes", { state: "WAITING", start_time: now(), deadline });
  await clock.advance(minutes(31));
  watch.judge();
  expect([...watch.late]).toEqual([]);
  watch.resumes(id);
  await clock.advance(hours(1));
  watch.judge();
  expect([...watch.late]).toEqual([]);
  const other = await watched();
  await other.step("JoinNodes", { state: "WAITING", start_time: other.now(), deadline });
  await other.clock.advance(hours(1));
  other.watch.judge();
  expect([...other.watch.late]).toEqual([expect.stringContaining("is open past its deadline")]);
});

it("the trace has every change, so that the same changes have the same hash", async () => {
  const [one, same, other] = [await watched(), await watched(), await watched()];
  for (const each of [one, same]) await each.state({ state: "RUNNING" });
  await other.state({ state: "SUCCEEDED" });
  expect(same.trace.digest()).toBe(one.trace.digest());
  expect(other.trace.digest()).not.toBe(one.trace.digest());
});

it("takes nothing for late that has ended meanwhile, as a newer record says that the stream brings late", async () => {
  const { clock, watch, write, tell, now } = await watched();
  const open = { start_time: now(), deadline: timestamp(clock.now() + minutes(30)) };
  await write("AttachHosts", { ...open, state: "WAITING" });
  await clock.advance(minutes(30));
  await write("AttachHosts", { ...open, state: "SUCCEEDED", end_time: now() });
  await clock.advance(hours(30));
  tell();
  expect([...watch.late]).toEqual([]);

  // What is open still is late.
  await write("CreateLayer3Network", { ...open, start_time: now(), state: "WAITING" });
  await clock.advance(hours(30));
  tell();
  watch.judge();
  expect([...watch.late]).toEqual([expect.stringContaining("CreateLayer3Network")]);
});
