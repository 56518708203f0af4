import { describe, expect, it } from "vitest";
import { AppError } from "../../core/error.ts";
import type { OperationId } from "../../core/id.ts";
import { dueShards } from "../../core/kernel/object/keys.ts";
import type { StepEntry } from "../../core/kernel/saga/operation.ts";
import { edit } from "../../core/kernel/saga/settle.ts";
import { requestSweep } from "../../core/resources/hub/sweep-requests.ts";
import { type DueCalls, due } from "../../functions/due.ts";
import { sagaShapes } from "../../statemachines/generated/shapes.ts";
import { queueEvent } from "../support/aws-events/sqs.ts";
import { type TestDeps, testDeps } from "../support/deps.ts";
import { depsWithCatalog, ordered } from "../support/orders.ts";
import { addHub } from "../support/placement.ts";

const shards = Array.from({ length: dueShards }, (_, shard) => shard);

/** The function, with what it has asked for. */
function dueOf(deps: TestDeps, calls: Partial<DueCalls> = {}) {
  const asked = { shards: [] as number[], hubs: [] as string[] };
  const run = due(deps, sagaShapes, {
    shard: async ({ shard }) => void asked.shards.push(shard),
    hub: async (hub) => void asked.hubs.push(hub),
    ...calls,
  });
  return { run, asked };
}

describe("the schedule's call", () => {
  it("has every shard swept, and each hub that somebody asked for, once", async () => {
    const deps = testDeps();
    for (const hub of ["one", "two"]) await addHub(deps, hub);
    await requestSweep(deps.store, "two");
    const { run, asked } = dueOf(deps);
    await run({});
    expect(asked).toEqual({ shards, hubs: ["two"] });
    await run({});
    expect(asked.hubs).toEqual(["two"]);
  });

  it("is not kept from the others by a shard that cannot be asked for, and fails for it", async () => {
    const deps = testDeps();
    await addHub(deps, "one");
    await requestSweep(deps.store, "one");
    const swept: number[] = [];
    const { run, asked } = dueOf(deps, {
      async shard({ shard }) {
        if (shard === 5) throw new AppError("Unavailable", "a worker could not be asked");
        swept.push(shard);
      },
    });
    await expect(run({})).rejects.toMatchObject({
      kind: "Unavailable",
      message: "shard 5 could not be swept",
    });
    expect(swept).toEqual(shards.filter((shard) => shard !== 5));
    expect(asked.hubs).toEqual(["one"]);
  });
});

it("an operation that nobody has started is started by the sweep of its shard, and by no other", async () => {
  const deps = await depsWithCatalog();
  const { operation } = await ordered(deps);
  await deps.clock.advance(10 * 60_000);
  const { run } = dueOf(deps);
  const starting: number[] = [];
  for (const shard of shards) {
    deps.workflowCalls.length = 0;
    await run({ shard });
    if (deps.workflowCalls.length === 0) continue;
    starting.push(shard);
    expect(deps.workflowCalls).toContainEqual(["start", "cluster-create", operation.id]);
  }
  expect(starting).toHaveLength(1);
});

describe("messages of the queue", () => {
  const message = (operation: string) => JSON.stringify({ operation, step: "ReserveCapacity" });

  async function waiting(deps: TestDeps, name: string): Promise<OperationId> {
    const { operation } = await ordered(deps, name);
    const look_at = new Date(deps.clock.now()).toISOString();
    const entry: StepEntry = { position: 0, state: "WAITING", attempts: 1, token: "t", look_at };
    await edit(deps, operation.id, (before) => ({ ...before, steps: { ReserveCapacity: entry } }));
    return operation.id;
  }

  it("have each step looked at, whatever becomes of the others", async () => {
    const deps = await depsWithCatalog();
    const [one, two, three] = [
      await waiting(deps, "one"),
      await waiting(deps, "two"),
      await waiting(deps, "three"),
    ];
    const looked: string[] = [];
    deps.rechecks.request = async (id) => {
      if (id === two) throw new AppError("Unavailable", "a worker could not be asked");
      looked.push(id);
    };
    const bodies = { a: message(one), b: message(two), c: "no message", d: message(three) };
    const { run, asked } = dueOf(deps);
    // None comes again: the sweep finds the step sooner.
    expect(await run(queueEvent("", bodies))).toBeUndefined();
    expect(looked.sort()).toEqual([one, three].sort());
    expect(asked).toEqual({ shards: [], hubs: [] });
  });
});
