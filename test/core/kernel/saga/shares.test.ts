import { describe, expect, it } from "vitest";
import { seconds, sleep } from "../../../../core/clock.ts";
import { AppError } from "../../../../core/error.ts";
import type { OperationId } from "../../../../core/id.ts";
import { totalKey } from "../../../../core/kernel/object/keys.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import { step } from "../../../../core/kernel/saga/saga.ts";
import { claimWorkerSlot, releaseWorkerSlots } from "../../../../core/kernel/saga/slots.ts";
import { testDeps } from "../../../support/deps.ts";
import { openToyLaptop, type ToyAction, toySaga } from "../../../support/toy/laptop.ts";
import { asToyId } from "../../../support/toy/model.ts";
import { orderToy } from "../../../support/toy/orders.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";
import { WorkerPool } from "../../../support/worker-pool.ts";

/** What one place or one tenant may hold of the workers, in virtual time, with eight processes. */

const workers = 8;
const deadline = 3_600_000;
const none = { none: "there is nothing to take back" };

interface Options {
  /** How many hubs, and how many tenants, the deployment has. */
  others?: number;
  shared?: boolean;
  /** How long a call of a hub that answers takes, in milliseconds. */
  call?: number;
}

/** Toys whose orders call a hub twice. One that is called `dead` lets each call hang. */
async function factory({ others = 8, shared = true, call = 300 }: Options = {}) {
  const clock = new VirtualClock();
  const pool = new WorkerPool(clock, workers);
  const working: ToyAction = {
    system: { name: "hub", zone: "hub" },
    deadline,
    async act({ id }) {
      if (!id.startsWith("dead")) return sleep(clock, call);
      await sleep(clock, seconds(10));
      throw new AppError("Unavailable", "the hub does not answer");
    },
  };
  const laptop = openToyLaptop({
    clock,
    sagas: {
      toy: toySaga([
        step<ToyAction>("Claim", { deadline, act: async () => {} }, none),
        step<ToyAction>("One", working, none),
        step<ToyAction>("Two", working, none),
      ]),
    },
    invoke: (name, work) => (name === "Claim" ? work() : pool.invoke(work)),
  });
  if (shared) pool.over(laptop.deps);
  const { store } = laptop.deps;
  await store.transact([
    { update: totalKey("hub", "h"), add: { count: others } },
    { update: totalKey("tenant", "t"), add: { count: others } },
  ]);
  /** Orders so many toys at a place; answers what tells when the last has ended, in seconds. */
  const order = async (place: string, count: number, tenant = "tenant-a") => {
    const began = clock.now();
    const ids: OperationId[] = [];
    for (let n = 0; n < count; n++) {
      const name = `${place}-${tenant}-${n}`;
      ids.push(await orderToy(laptop.deps, "toy", {}, { id: asToyId(name), name, tenant }));
    }
    const operations = () => Promise.all(ids.map((id) => mustLoad(laptop.deps, "operation", id)));
    const end = async () => {
      await laptop.until(async () =>
        (await operations()).every(({ status }) => status.state === "SUCCEEDED"),
      );
      const ends = (await operations()).map(({ status }) => Date.parse(status.end_time ?? ""));
      return (Math.max(...ends) - began) / 1000;
    };
    return { operations, end };
  };
  return { laptop, pool, order };
}

it("a hub that lets each call hang holds a quarter of the workers, and orders elsewhere go on", async () => {
  const alone = await (await (await factory()).order("well", 4)).end();
  const { laptop, pool, order } = await factory();
  const { operations } = await order("dead", 20);
  // Not after the timeouts of its calls.
  expect(await (await order("well", 4)).end()).toBeLessThan(alone + 8);

  const [began, before] = [laptop.clock.now(), pool.held];
  let most = 0;
  for (let passed = 0; passed < 40; passed++) {
    await laptop.pass(seconds(1));
    most = Math.max(most, pool.longer(seconds(2)));
  }
  expect(most).toBe(workers / 4);
  // Its share, and now and then two seconds of a process that asks again.
  const held = (pool.held - before) / (laptop.clock.now() - began);
  expect(held).toBeLessThan(workers / 4 + 1);
  const [step] = (await operations()).flatMap(({ steps }) =>
    steps.One?.message?.includes("soon") ? [steps.One] : [],
  );
  expect(step).toMatchObject({
    state: "RUNNING",
    message: "the hub does not answer soon",
    blocked_by: { system: "hub", instance: "dead" },
  });
});

it.each([
  ["share the workers: they end some seconds later than alone", true, 0, 5],
  ["would wait behind these if tenants had no shares", false, 7, 60],
])("four orders beside eighty of another tenant %s", async (_, shared, least, most) => {
  const { order } = await factory({ shared });
  await order("well", 80, "tenant-b");
  const end = await (await order("well", 4)).end();
  expect(end).toBeGreaterThan(least);
  expect(end).toBeLessThan(most);
});

it("hubs that answer cost neither a read nor a write more than without shares", async () => {
  const written = async (shared: boolean) => {
    const { laptop, order } = await factory({ shared });
    const calls = { get: 0, getMany: 0, query: 0, transact: 0 };
    const { store } = laptop.deps;
    for (const name of ["get", "getMany", "query", "transact"] as const) {
      const call = store[name].bind(store) as (...given: unknown[]) => unknown;
      const counted = (...given: unknown[]) => {
        calls[name]++;
        return call(...given);
      };
      Object.assign(store, { [name]: counted });
    }
    await (await order("well", 4)).end();
    return calls;
  };
  expect(await written(true)).toEqual(await written(false));
});

it("the only hub and the only tenant have all workers", async () => {
  const ended = async (shared: boolean) => {
    const { order } = await factory({ shared, others: 1, call: seconds(5) });
    return (await order("well", workers)).end();
  };
  expect(await ended(true)).toBe(await ended(false));
});

describe("slots", () => {
  const holder = async () => ({ name: "hub#place", slots: 2 });

  it("are taken by as many runs as there are, and free once a run has ended", async () => {
    const deps = testDeps();
    const [one, two, three] = ["a", "b", "c"].map(
      (run) => () => claimWorkerSlot(deps, run, holder),
    );
    expect(await Promise.all([one?.(), two?.()])).toMatchObject([
      { holder: "hub#place" },
      { holder: "hub#place" },
    ]);
    expect(await three?.()).toBe("full");
    await releaseWorkerSlots(deps, "b", [{ holder: "hub#place", number: 0 }]);
    expect(await three?.()).toBe("full");
    await releaseWorkerSlots(deps, "a", [{ holder: "hub#place", number: 0 }]);
    expect(await three?.()).toEqual({ holder: "hub#place", number: 0 });
  });

  it("of runs that died are free when these would have been cut off", async () => {
    const deps = testDeps();
    for (const run of ["a", "b"]) await claimWorkerSlot(deps, run, holder);
    await deps.clock.advance(deps.workerTimeout);
    expect(await claimWorkerSlot(deps, "c", holder)).toBe("full");
    await deps.clock.advance(seconds(2));
    expect(await claimWorkerSlot(deps, "c", holder)).toMatchObject({ holder: "hub#place" });
  });

  it("keep nobody from working when the store fails", async () => {
    const failing = async () => {
      throw new AppError("Unavailable", "the store is busy");
    };
    expect(await claimWorkerSlot(testDeps(), "a", failing)).toBeUndefined();
  });
});
