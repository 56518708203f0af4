import { describe, expect, it } from "vitest";
import { sleep } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import { withLastEvent } from "../../../core/kernel/events/outbox.ts";
import { shardOf } from "../../../core/kernel/object/key-parts.ts";
import { duePartition, dueShards } from "../../../core/kernel/object/keys.ts";
import { archive, mustLoad } from "../../../core/kernel/object/records.ts";
import { relay } from "../../../core/kernel/relay/relay.ts";
import { entryOf, newEntry, withEntry } from "../../../core/kernel/saga/entry.ts";
import type { Operation, StepEntry } from "../../../core/kernel/saga/operation.ts";
import { edit } from "../../../core/kernel/saga/settle.ts";
import { openSqliteStore } from "../../../core/kernel/store/sqlite/sqlite.ts";
import { takeTicket } from "../../../core/placement/queues/tickets.ts";
import { sweepDue, sweepShard } from "../../../core/reconcile/sweep.ts";
import { sagas } from "../../../statemachines/index.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { interrupted } from "../../support/interrupted-store.ts";
import { logOf } from "../../support/log.ts";
import { type Order, startOrder } from "../../support/placement.ts";
import { ticketsIn } from "../../support/waiting.ts";

const minute = 60_000;
const hour = 60 * minute;

interface Swept extends TestDeps {
  looked: string[];
}

function sweptDeps(overrides: Parameters<typeof testDeps>[0] = {}): Swept {
  const looked: string[] = [];
  const rechecks = {
    request: async (id: string, step: string) => void looked.push(`${id} ${step}`),
  };
  return { ...testDeps({ rechecks, ...overrides }), looked };
}

const operationOf = (deps: TestDeps, order: Order) => mustLoad(deps, "operation", order.operation);

const inMs = (deps: TestDeps, ms: number) => new Date(deps.clock.now() + ms).toISOString();

/** An order whose first step is as told. */
async function inStep(
  deps: TestDeps,
  entry: Partial<StepEntry>,
  more: Partial<Operation> = {},
  name = "c1",
): Promise<Order> {
  const order = await startOrder(deps, name, { small: 1 });
  const step: StepEntry = {
    position: 0,
    state: "WAITING",
    attempts: 1,
    token: `token-${name}`,
    leases: {},
    ...entry,
  };
  await edit(deps, order.operation, (operation) => ({
    ...operation,
    steps: { ReserveCapacity: step },
    ...more,
  }));
  return order;
}

describe("what the sweep finds", () => {
  it.each([
    ["WAITING", "waited 5 min for 3 hosts"],
    ["RUNNING", "not done within 5 min; last: 3 hosts"],
  ] as const)("a %s step past its deadline fails", async (state, message) => {
    const deps = sweptDeps();
    const [start_time, deadline] = [inMs(deps, 0), inMs(deps, 5 * minute)];
    const order = await inStep(deps, { state, start_time, deadline, message: "3 hosts" });
    await deps.clock.advance(5 * minute - 1);
    expect(await sweepDue(deps, sagas)).toBe(0);
    await deps.clock.advance(1);
    expect(await sweepDue(deps, sagas)).toBe(1);
    expect(deps.workflowCalls).toEqual([["fail", "token-c1", "DeadlineExceeded", message]]);
    const operation = await operationOf(deps, order);
    expect(operation).toMatchObject({ unwinding: true, failure: { step: "ReserveCapacity" } });
  });

  it("a step goes on that was given more time since its deadline was read", async () => {
    const deps = sweptDeps();
    const order = await inStep(deps, { state: "RUNNING", deadline: inMs(deps, minute) });
    await deps.clock.advance(minute);
    const deadline = inMs(deps, minute);
    const later = () =>
      edit(deps, order.operation, (operation) =>
        withEntry(operation, "ReserveCapacity", {
          ...entryOf(operation, "ReserveCapacity"),
          deadline,
        }),
      );
    const store = interrupted(deps.store, later);
    expect(await sweepDue({ ...deps, store }, sagas)).toBe(1);
    const { steps, unwinding } = await operationOf(deps, order);
    expect({ unwinding, step: steps.ReserveCapacity }).toMatchObject({
      unwinding: false,
      step: { state: "RUNNING", deadline },
    });
    expect(deps.workflowCalls).toEqual([]);
  });

  it("a wait whose time to look has come is looked at, and only then", async () => {
    const deps = sweptDeps();
    const order = await inStep(deps, { look_at: inMs(deps, minute), deadline: inMs(deps, 1e9) });
    await deps.clock.advance(minute - 1);
    await sweepDue(deps, sagas);
    expect(deps.looked).toEqual([]);
    await deps.clock.advance(1);
    await sweepDue(deps, sagas);
    expect(deps.looked).toEqual([`${order.operation} ReserveCapacity`]);
    expect(deps.workflowCalls).toEqual([]);
  });

  it.each(["SUCCEEDED", "FAILED"] as const)(
    "an answer that may have been lost (%s) is sent again, once",
    async (state) => {
      const deps = sweptDeps();
      const failed = state === "FAILED" ? { error: "Rejected", message: "no" } : {};
      await inStep(deps, { state, end_time: inMs(deps, 0), ...failed });
      await deps.clock.advance(31_000);
      await sweepDue(deps, sagas);
      await deps.clock.advance(31_000);
      await sweepDue(deps, sagas);
      expect(deps.workflowCalls).toEqual([
        state === "FAILED" ? ["fail", "token-c1", "Rejected", "no"] : ["succeed", "token-c1"],
      ]);
    },
  );

  it("a cancellation that was not passed on", async () => {
    const deps = sweptDeps();
    const cancel = { at: inMs(deps, 0), by: "ann", preempted: false };
    await inStep(deps, {}, { cancel });
    await sweepDue(deps, sagas);
    expect(deps.workflowCalls).toEqual([["fail", "token-c1", "Cancelled", "cancelled by ann"]]);
  });
});

describe("an operation that is found too early", () => {
  /** An order that was to be looked at in a minute, and works now, with ten minutes to do it. */
  async function atWork(deps: TestDeps): Promise<Order> {
    const order = await inStep(deps, { look_at: inMs(deps, minute) });
    await deps.clock.advance(minute);
    await edit(deps, order.operation, (operation) =>
      withEntry(operation, "ReserveCapacity", {
        ...entryOf(operation, "ReserveCapacity"),
        ...({ state: "RUNNING", deadline: inMs(deps, 10 * minute) } as const),
      }),
    );
    return order;
  }
  const writes = async (deps: TestDeps, order: Order) => (await operationOf(deps, order)).revision;

  it("moves on, and is looked after when it is due", async () => {
    const deps = sweptDeps();
    const order = await atWork(deps);
    const before = await writes(deps, order);
    for (let n = 0; n < 9; n++) {
      expect(await sweepDue(deps, sagas)).toBe(0);
      await deps.clock.advance(minute);
    }
    expect((await writes(deps, order)) - before).toBe(1);
    await deps.clock.advance(minute - 1);
    expect(await sweepDue(deps, sagas)).toBe(0);
    await deps.clock.advance(1);
    expect(await sweepDue(deps, sagas)).toBe(1);
    expect(deps.workflowCalls).toEqual([
      ["fail", "token-c1", "DeadlineExceeded", "not done within its time"],
    ]);
  });

  it("is not found again before the minute in which it is due", async () => {
    const deps = sweptDeps();
    const { operation } = await atWork(deps);
    await sweepDue(deps, sagas);
    const pk = duePartition(shardOf(operation, dueShards));
    const range = { to: inMs(deps, 9 * minute) };
    expect((await deps.store.query({ index: "g2", pk, range })).items).toEqual([]);
  });
});

describe("an operation that is stuck", () => {
  const stuck = { status: { state: "STUCK" as const } };
  const said = (deps: TestDeps) => ({ at: inMs(deps, 0), by: "ann" });

  it.each([
    ["a resume", (deps: TestDeps) => ({ resume: said(deps) })],
    ["a deletion", (deps: TestDeps) => ({ cancel: { ...said(deps), preempted: true } })],
  ])("goes on when %s was not passed on", async (_, more) => {
    const deps = sweptDeps();
    const order = await inStep(deps, {}, stuck);
    await edit(deps, order.operation, ({ steps, ...operation }) => ({
      ...operation,
      steps: { ...steps, Stuck: { ...newEntry(1), state: "WAITING", token: "token-stuck" } },
      ...more(deps),
    }));
    expect(await sweepDue(deps, sagas)).toBe(1);
    expect(deps.workflowCalls).toEqual([["succeed", "token-stuck"]]);
    expect((await operationOf(deps, order)).status.state).toBe("RUNNING");
  });

  it("is left alone until somebody says so", async () => {
    const deps = sweptDeps();
    await inStep(deps, {}, stuck);
    await deps.clock.advance(100 * minute);
    expect(await sweepDue(deps, sagas)).toBe(0);
  });
});

describe("a step that takes too long", () => {
  const stalledOf = async (deps: TestDeps, order: Order) =>
    (await operationOf(deps, order)).status.stalled;

  it.each(["WAITING", "RUNNING"] as const)("(%s) is flagged once it does", async (state) => {
    const deps = sweptDeps();
    const usual_end = inMs(deps, 10 * minute);
    const waiting_since = inMs(deps, 0);
    // What is tried again holds no token meanwhile.
    const order = await inStep(deps, { state, usual_end, waiting_since, message: "3 hosts" });
    await edit(deps, order.operation, (operation) => {
      const { token: _, ...entry } = operation.steps.ReserveCapacity as StepEntry;
      return { ...operation, steps: { ReserveCapacity: entry } };
    });
    await deps.clock.advance(10 * minute - 1);
    expect(await sweepDue(deps, sagas)).toBe(0);
    await deps.clock.advance(1);
    expect(await sweepDue(deps, sagas)).toBe(1);
    const stalled = {
      ...{ step: "ReserveCapacity", message: "3 hosts" },
      ...{ since: waiting_since, usual_end },
    };
    expect(await stalledOf(deps, order)).toEqual(stalled);
    expect((await operationOf(deps, order)).event.changed).toEqual(["status.stalled"]);
    expect(await sweepDue(deps, sagas)).toBe(0);
  });

  it("says what blocks it as that changes, and is flagged no more when it moves on", async () => {
    const deps = sweptDeps();
    const order = await inStep(deps, { usual_end: inMs(deps, 0), message: "3 hosts" });
    await sweepDue(deps, sagas);
    const change = (entry: Partial<StepEntry>) =>
      edit(deps, order.operation, (operation) => ({
        ...operation,
        steps: { ReserveCapacity: { ...(operation.steps.ReserveCapacity as StepEntry), ...entry } },
      }));
    await change({ message: "2 hosts" });
    expect(await stalledOf(deps, order)).toMatchObject({ message: "2 hosts" });
    await change({ state: "SUCCEEDED" });
    expect(await stalledOf(deps, order)).toBeUndefined();
  });

  it("gives way to the next that does", async () => {
    const deps = sweptDeps();
    const order = await inStep(deps, { usual_end: inMs(deps, 0) });
    await sweepDue(deps, sagas);
    await edit(deps, order.operation, (operation) => {
      const { ReserveCapacity: first } = operation.steps as Record<string, StepEntry>;
      if (!first) throw new Error("no step");
      const next = { ...first, position: 1, usual_end: inMs(deps, minute) };
      return {
        ...operation,
        steps: { ReserveCapacity: { ...first, state: "SUCCEEDED" }, Next: next },
      };
    });
    await deps.clock.advance(minute);
    await sweepDue(deps, sagas);
    expect(await stalledOf(deps, order)).toMatchObject({ step: "Next" });
  });
});

describe("an execution that ended unseen", () => {
  const ended = { state: "ABORTED", cause: "by hand" } as const;

  it("fails its operation, which leaves the queues", async () => {
    const deps = sweptDeps();
    deps.workflow.describe = async () => ended;
    const order = await inStep(deps, { deadline: inMs(deps, 1e9) });
    const operation = await operationOf(deps, order);
    const ticket = {
      operation: operation.id,
      step: "ReserveCapacity",
      where: { tenant: "t" },
      needs: {},
    };
    await deps.store.transact([takeTicket("host:small", operation, ticket)]);
    await deps.clock.advance(15 * minute);
    await sweepDue(deps, sagas);
    expect((await operationOf(deps, order)).status).toMatchObject({
      state: "FAILED",
      failure: {
        kind: "Internal",
        message: expect.stringMatching(/^it was cut off by a fault inside Slipway; /),
      },
    });
    expect(await mustLoad(deps, "cluster", order.cluster)).toMatchObject({
      status: { state: "CLUSTER_STATE_FAILED" },
    });
    expect(await ticketsIn(deps, "host:small")).toBe(0);
  });

  it("before its first step fails it as well", async () => {
    const deps = sweptDeps();
    deps.workflow.describe = async () => ended;
    const order = await inStep(deps, {}, { status: { state: "PENDING" }, steps: {} });
    await deps.clock.advance(minute);
    await sweepDue(deps, sagas);
    expect((await operationOf(deps, order)).status.state).toBe("FAILED");
  });

  it("one that runs is left alone, and asked for again later", async () => {
    const deps = sweptDeps();
    let asked = 0;
    deps.workflow.describe = async () => {
      asked++;
      return { state: "RUNNING" };
    };
    const order = await inStep(deps, { deadline: inMs(deps, 1e9) });
    for (let n = 0; n < 30; n++) {
      await deps.clock.advance(minute);
      await sweepDue(deps, sagas);
    }
    expect(asked).toBe(2);
    expect((await operationOf(deps, order)).status.state).toBe("RUNNING");
  });
});

it("one operation that troubles it does not keep it from the others", async () => {
  const deps = sweptDeps();
  const look_at = inMs(deps, minute);
  const orders = [];
  for (const name of ["c1", "c2", "c3"]) orders.push(await inStep(deps, { look_at }, {}, name));
  const first = orders[0]?.operation;
  const looked: string[] = [];
  const look = async (id: string) => {
    if (id === first) throw new AppError("Unavailable", "the worker is unreachable");
    looked.push(id);
  };
  await deps.clock.advance(minute);
  expect(await sweepDue({ ...deps, rechecks: { request: look } }, sagas)).toBe(2);
  expect(looked.sort()).toEqual(orders.slice(1).map(({ operation }) => operation));
});

describe("the sweep of a shard", () => {
  const shard = 3;

  /** Orders of one shard whose steps are due to be looked at, one millisecond after the other. */
  async function inShard(count: number, request: (deps: TestDeps, id: string) => Promise<void>) {
    const deps = sweptDeps();
    const { newId } = deps;
    deps.newId = () => {
      for (;;) {
        const id = newId();
        if (shardOf(id, dueShards) === shard) return id;
      }
    };
    deps.rechecks.request = async (id) => {
      deps.looked.push(id);
      await request(deps, id);
    };
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const order = await inStep(deps, { look_at: inMs(deps, n) }, {}, `c${n}`);
      ids.push(order.operation);
    }
    await deps.clock.advance(minute);
    return { deps, ids };
  }

  it("is not kept by one operation that never ends, and neither are the others", async () => {
    const { deps, ids } = await inShard(3, (_, id) =>
      id === ids[0] ? new Promise(() => {}) : Promise.resolve(),
    );
    const began = deps.clock.now();
    expect(await deps.clock.until(sweepShard(deps, sagas, shard, minute))).toBe(2);
    expect(deps.looked).toEqual(ids);
    expect(deps.clock.now() - began).toBeLessThan(minute);
  });

  it("leaves off when its time is up, and the next goes on from there and comes round", async () => {
    const { deps, ids } = await inShard(18, ({ clock }) => sleep(clock, 10_000));
    expect(await deps.clock.until(sweepShard(deps, sagas, shard, 5000))).toBe(16);
    expect(deps.looked).toEqual(ids.slice(0, 16));
    deps.looked.length = 0;
    expect(await deps.clock.until(sweepShard(deps, sagas, shard, minute))).toBeGreaterThan(17);
    expect(deps.looked.slice(0, 18)).toEqual([...ids.slice(16), ...ids.slice(0, 16)]);
    // It came to the end, so the one after it begins at the beginning.
    deps.looked.length = 0;
    await deps.clock.until(sweepShard(deps, sagas, shard, 5000));
    expect(deps.looked[0]).toBe(ids[0]);
  });

  it("leaves the other shards alone", async () => {
    const { deps, ids } = await inShard(1, async () => {});
    for (let other = 0; other < dueShards; other++)
      expect(await sweepShard(deps, sagas, other, minute)).toBe(other === shard ? 1 : 0);
    expect(deps.looked).toEqual(ids);
  });
});

it("goes by the operation as it is, though the index lags behind", async () => {
  const store = openSqliteStore(":memory:", { indexLag: 1000 });
  const deps = sweptDeps({ store });
  const order = await inStep(deps, { look_at: inMs(deps, minute) });
  store.catchUp();
  await edit(deps, order.operation, (operation) => ({ ...operation, steps: {} }));
  await deps.clock.advance(2 * minute);
  expect(await sweepDue(deps, sagas)).toBe(0);
  expect(deps.looked).toEqual([]);
  store.catchUp();
  expect(await sweepDue(deps, sagas)).toBe(0);
});

it("nothing is due of a queued operation, a stuck one, or one that ended and was looked at", async () => {
  const deps = sweptDeps();
  const past = { deadline: inMs(deps, minute) };
  await inStep(deps, past, { queued: true }, "c1");
  await inStep(deps, past, { status: { state: "STUCK" } }, "c2");
  const end_time = inMs(deps, 0);
  await inStep(deps, past, { status: { state: "FAILED", end_time }, swept: true }, "c3");
  await deps.clock.advance(1e9);
  expect(await sweepDue(deps, sagas)).toBe(0);
});

describe("the last look at an operation", () => {
  /** A cluster that was deleted when its operation ended; the stream has brought nothing yet. */
  async function ended() {
    const deps = sweptDeps();
    const order = await startOrder(deps, "c1", { small: 1 });
    const created = deps.store.stream(undefined, 1000);
    await deps.clock.advance(minute);
    const target = await mustLoad(deps, "cluster", order.cluster);
    const now = deps.clock.now();
    await deps.store.transact(archive(deps.kinds, withLastEvent(target, now), now));
    await edit(deps, order.operation, (operation) => ({
      ...operation,
      status: { ...operation.status, state: "SUCCEEDED", end_time: inMs(deps, 0) },
    }));
    const relayed = async () => {
      for (const record of created) await relay(deps, sagas, record);
    };
    const swept = async () => {
      await sweepDue(deps, sagas);
      return (await mustLoad(deps, "operation", order.operation)).swept ?? false;
    };
    const told = async (kind: string) =>
      (await logOf(deps)).flatMap(({ event: { subject, type } }) =>
        subject.startsWith(kind) ? [type.split(".")[2]] : [],
      );
    return { deps, relayed, swept, told };
  }

  it("tells of the deletion of a target whose record in the stream was lost", async () => {
    const { deps, relayed, swept, told } = await ended();
    await relayed();
    await deps.clock.advance(minute);
    expect(await swept()).toBe(true);
    expect(await told("clusters/")).toEqual(["created", "deleted"]);
    expect(await told("operations/")).toEqual(["created", "succeeded"]);
  });

  it("leaves to a stream that is late what comes after an event that is not told yet", async () => {
    const { deps, relayed, swept, told } = await ended();
    await deps.clock.advance(5 * hour);
    expect(await swept()).toBe(false);
    expect(deps.published).toEqual([]);
    await relayed();
    expect(await swept()).toBe(true);
    expect(await told("clusters/")).toEqual(["created", "deleted"]);
    expect(await told("operations/")).toEqual(["created", "succeeded"]);
  });

  it("tells of the end once the stream does not bring the event before it any more", async () => {
    const { deps, swept, told } = await ended();
    await deps.clock.advance(7 * hour);
    expect(await swept()).toBe(true);
    expect(await told("clusters/")).toEqual(["deleted"]);
    expect(await told("operations/")).toEqual(["succeeded"]);
  });

  it("leaves the deletion of a target by a later operation to the stream", async () => {
    const deps = sweptDeps();
    const order = await startOrder(deps, "c1", { small: 1 });
    for (const record of deps.store.stream(undefined, 1000)) await relay(deps, sagas, record);
    await edit(deps, order.operation, (operation) => ({
      ...operation,
      status: { ...operation.status, state: "CANCELLED", end_time: inMs(deps, 0) },
    }));
    await deps.clock.advance(minute - 4000);
    const target = await mustLoad(deps, "cluster", order.cluster);
    const now = deps.clock.now();
    await deps.store.transact(archive(deps.kinds, withLastEvent(target, now), now));
    await deps.clock.advance(5000);
    expect(await sweepDue(deps, sagas)).toBe(1);
    const ofCluster = deps.published.filter(({ subject }) => subject.startsWith("clusters/"));
    expect(ofCluster.map(({ sequence }) => sequence)).toEqual([1]);
  });
});
