import { describe, expect, it } from "vitest";
import { hours, minutes, timestamp } from "../../../core/clock.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { heartbeatKey } from "../../../core/kernel/object/hub-keys.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { setSwitch } from "../../../core/kernel/request/maintenance-switch.ts";
import type { StepEntry } from "../../../core/kernel/saga/operation.ts";
import { edit } from "../../../core/kernel/saga/settle.ts";
import type { News, Report } from "../../../core/ports/hub/news.ts";
import { sweepNext } from "../../../core/ports/sweep-times.ts";
import { noteCapacity } from "../../../core/reconcile/capacity.ts";
import { hubsDue } from "../../../core/reconcile/due-hubs.ts";
import { takeReport } from "../../../core/reconcile/report.ts";
import { sweepAskedHubs, sweepHub, sweepHubs } from "../../../core/reconcile/sweep-hub.ts";
import { sweep } from "../../../functions/sweep.ts";
import { sagas } from "../../../statemachines/index.ts";
import { counting } from "../../support/counting-store.ts";
import type { TestDeps } from "../../support/deps.ts";
import { testDeps } from "../../support/deps.ts";
import { addHub, addOrder } from "../../support/placement.ts";

/** Which hubs a round of sweeps reads. The rounds are five minutes apart. */

const round = minutes(5);

/** A hub whose agent reports, and which was swept just now. */
async function quietHub(overrides: Parameters<typeof testDeps>[0] = {}) {
  const deps = testDeps(overrides);
  await addHub(deps, "hub");
  const reads: number[] = [];
  const readAll = async (): Promise<News[]> => {
    reads.push(deps.clock.now());
    return [];
  };
  deps.hubClients.set("hub", { readAll });
  await sweepHubs(deps, sagas);
  return { deps, reads };
}

const heartbeat = (deps: TestDeps, told: Partial<Report> = {}) =>
  takeReport(deps, sagas, { hub: "hub", heartbeat: true, news: [], ...told });

/** Rounds of sweeps for so long; `beats` before each. Answers in how many the hub was read. */
async function rounds(
  { deps, reads }: Awaited<ReturnType<typeof quietHub>>,
  ms: number,
  beats: boolean | Partial<Report> = true,
) {
  const before = reads.length;
  for (let passed = 0; passed < ms; passed += round) {
    await deps.clock.advance(round);
    if (beats !== false) await heartbeat(deps, beats === true ? {} : beats);
    await sweepHubs(deps, sagas);
  }
  return reads.length - before;
}

describe("a hub", () => {
  it("whose agent cannot watch a kind is read every round, until it watches again", async () => {
    const world = await quietHub();
    const unwatched = [{ kind: "NodePool" as const, error: "it may not list them" }];
    expect(await rounds(world, hours(1), { unwatched })).toBe(12);
    await rounds(world, round);
    expect(await rounds(world, minutes(55))).toBeLessThanOrEqual(1);
  });

  it("whose agent reports is read once an hour", async () => {
    const world = await quietHub();
    expect(await rounds(world, minutes(50))).toBe(0);
    expect(await rounds(world, minutes(10))).toBe(1);
    expect(await rounds(world, hours(10))).toBe(10);
  });

  it("whose agent has never reported is read in each round", async () => {
    const world = await quietHub();
    await world.deps.store.transact([{ delete: heartbeatKey("hub") }]);
    await sweepNext(world.deps, "objects", { kind: "hub", id: "hub" }, world.deps.clock.now());
    expect(await rounds(world, hours(1), false)).toBe(12);
  });

  it("whose agent falls silent is found so by the next round, and read in each from then on", async () => {
    const world = await quietHub();
    const { deps } = world;
    const isReady = async () => (await mustLoad(deps, "hub", "hub")).status;
    expect(await rounds(world, minutes(10), false)).toBe(0);
    expect(await isReady()).toMatchObject({ state: "HUB_STATE_READY" });
    expect(await rounds(world, round, false)).toBe(1);
    expect(await isReady()).toMatchObject({ state: "HUB_STATE_UNREACHABLE" });
    expect(await rounds(world, hours(1), false)).toBe(12);
  });

  it("whose agent is back is read within a minute for what it has missed, and in an hour again", async () => {
    const world = await quietHub();
    const { deps, reads } = world;
    await rounds(world, minutes(30), false);
    await heartbeat(deps);
    const before = reads.length;
    await sweepAskedHubs(deps, sagas);
    await sweepAskedHubs(deps, sagas);
    expect(reads).toHaveLength(before + 1);
    expect(await rounds(world, minutes(50))).toBe(0);
  });

  it("that could not be read stays due", async () => {
    const world = await quietHub();
    const { deps } = world;
    await deps.clock.advance(hours(1));
    await heartbeat(deps);
    for (const fails of [true, false]) {
      if (fails) deps.hubClients.set("hub", { readAll: () => Promise.reject(new Error("reset")) });
      else deps.hubClients.set("hub", { readAll: async () => [] });
      expect(await hubsDue(deps)).toEqual(["hub"]);
      await sweepHub(deps, sagas, "hub").catch(() => {});
    }
    expect(await hubsDue(deps)).toEqual([]);
  });

  it("is due at once while intake is paused, as after a restore", async () => {
    const { deps } = await quietHub();
    await setSwitch(deps, "intake", true, "ann");
    expect(await hubsDue(deps)).toEqual(["hub"]);
    await setSwitch(deps, "intake", false, "ann");
    expect(await hubsDue(deps)).toEqual([]);
  });
});

describe("a hub whose agent reports, and where a step waits", () => {
  /** Whether the hub is due after so many minutes. */
  async function isDue(after: number, entry: Partial<StepEntry> = {}): Promise<boolean> {
    const { deps } = await quietHub();
    const { cluster, operation } = await addOrder(deps, "c1", { small: 1 });
    const placement = { hub: "hub", at: "", reason: "", rejected: [], hosts: {} };
    await changeObject(deps, "cluster", cluster, (current) => ({
      ...current,
      placement: placement as never,
    }));
    const now = timestamp(deps.clock.now());
    const waiting: StepEntry = { position: 0, state: "WAITING", attempts: 1, waiting_since: now };
    await edit(deps, operation, (current) => ({
      ...current,
      steps: { JoinNodes: { ...waiting, ...entry } },
    }));
    await deps.clock.advance(minutes(after));
    await heartbeat(deps);
    return (await hubsDue(deps)).includes("hub");
  }

  it.each<[string, number, Partial<StepEntry>, boolean]>([
    ["for news, is read after five minutes: the news may be lost", 5, {}, true],
    ["for news, is not read before", 4, {}, false],
    ["for a look of its own, is not", 5, { look_at: "2026-01-01T01:00:00.000Z" }, false],
    ["no more, is not", 5, { state: "SUCCEEDED" }, false],
  ])("%s", async (_, after, entry, due) => {
    expect(await isDue(after, entry)).toBe(due);
  });
});

it("a round over hubs that report reads nothing of any, but all heartbeats in four queries", async () => {
  const costOf = async (hubs: number) => {
    const deps = testDeps();
    const ids = Array.from({ length: hubs }, (_, n) => `hub-${n}`);
    for (const id of ids) {
      await addHub(deps, id, { site: "site-1" });
      for (const name of ["objects", "parts", "orphans"] as const)
        await sweepNext(deps, name, { kind: "hub", id }, deps.clock.now() + hours(1));
    }
    // Once a day, which is not what a round costs.
    await noteCapacity(deps);
    const { counted, calls } = counting(deps.store);
    const asked: unknown[] = [];
    const run = sweep(
      { ...deps, store: counted },
      async (...call) => void asked.push(call),
      () => {},
    );
    for (const name of ["hubs", "parts", "orphans", "metrics"]) await run({ sweep: name });
    expect(asked).toEqual([]);
    return calls;
  };
  const { read, ...calls } = await costOf(100);
  const { read: few, ...same } = await costOf(10);
  expect(calls).toEqual(same);
  // The heartbeats, which two of the sweeps look at; nothing else.
  expect(read - few).toBe(2 * 90);
  expect(calls.transact).toBe(0);
});
