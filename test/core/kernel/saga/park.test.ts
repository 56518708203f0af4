import { expect, it } from "vitest";
import { Away } from "../../../../core/kernel/saga/away.ts";
import { unpark } from "../../../../core/kernel/saga/park.ts";
import {
  accept,
  finish,
  openToyLaptop,
  operationOf,
  toySaga,
} from "../../../support/toy/laptop.ts";
import { cancel, noting } from "../../../support/toy/steps.ts";

const minute = 60_000;

/** An order whose one step needs a hub, which is away until the test says otherwise. */
async function withHubAway(options: { dueEvery?: number } = {}) {
  const log: string[] = [];
  const hub = { isAway: true };
  const asking = noting(log, "One", () => {
    if (hub.isAway) throw new Away({ system: "hub", instance: "hub-1" });
  });
  const laptop = openToyLaptop({ sagas: { toy: toySaga([asking]) }, ...options });
  const id = await accept(laptop);
  await laptop.until(() => log.length > 0);
  await laptop.pass(1000);
  return { laptop, id, hub, log, step: async () => (await operationOf(laptop, id)).steps.One };
}

it("a step whose hub is away says so and keeps its task: it is not tried again meanwhile", async () => {
  const { laptop, log, step } = await withHubAway();
  await laptop.pass(50 * minute);
  expect(log).toEqual(["One"]);
  expect(await step()).toMatchObject({
    state: "RUNNING",
    message: "the hub does not answer",
    blocked_by: { system: "hub", instance: "hub-1" },
    token: expect.any(String),
  });
});

it("it goes on when the hub is found back, however often that is said", async () => {
  const { laptop, id, hub, log } = await withHubAway();
  await laptop.pass(50 * minute);
  hub.isAway = false;
  const operation = await operationOf(laptop, id);
  for (let n = 0; n < 2; n++) await unpark(laptop.deps, operation);
  await laptop.pass(10_000);
  expect(log).toEqual(["One", "One"]);
  expect((await finish(laptop, id)).status.state).toBe("SUCCEEDED");
});

it("it is tried again once an hour, should nobody find the hub back, and its time stands still", async () => {
  const { laptop, id, hub, log, step } = await withHubAway();
  await laptop.pass(5.5 * 60 * minute);
  expect(log.length).toBeGreaterThanOrEqual(5);
  expect(log.length).toBeLessThanOrEqual(7);
  // The step has ten minutes of its own.
  expect((await step())?.state).toBe("RUNNING");
  hub.isAway = false;
  expect((await finish(laptop, id)).status.state).toBe("SUCCEEDED");
});

it("it fails when a day is over", async () => {
  const { laptop, id } = await withHubAway({ dueEvery: 10 * minute });
  const { status } = await finish(laptop, id);
  expect(status).toMatchObject({ state: "FAILED", failure: { kind: "DeadlineExceeded" } });
});

it("a cancellation does not wait for the hub", async () => {
  const { laptop, id, hub } = await withHubAway();
  await cancel(laptop, id);
  hub.isAway = false;
  const began = laptop.clock.now();
  expect((await finish(laptop, id)).status.state).toBe("CANCELLED");
  expect(laptop.clock.now() - began).toBeLessThan(5 * minute);
});
