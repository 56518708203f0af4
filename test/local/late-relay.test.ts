import { expect, it, onTestFinished } from "vitest";
import { hours, minutes } from "../../core/clock.ts";
import { logOf } from "../support/log.ts";
import { openToyLaptop, operationOf, toySaga } from "../support/toy/laptop.ts";
import { asToyId } from "../support/toy/model.ts";
import { orderToy } from "../support/toy/orders.ts";
import { noting } from "../support/toy/steps.ts";

it("a relay that is hours late tells each event once and in order, though the sweep sees the ends first", async () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const steps = ["One", "Two", "Three"].map((name) => noting([], name));
  const laptop = openToyLaptop(
    { sagas: { toy: toySaga(steps) }, sweeps: false, dueEvery: minutes(2) },
    () => opened,
  );
  onTestFinished(open);
  const operations = [];
  for (let n = 1; n <= 8; n++)
    operations.push(
      await orderToy(laptop.deps, "toy", {}, { id: asToyId(`toy-${n}`), name: `boat-${n}` }),
    );
  // The sweep starts what the relay has not started; then hours pass, longer than AWS keeps records.
  for (let passed = 0; passed < hours(10); passed += minutes(10))
    await laptop.clock.advance(minutes(10));
  for (const id of operations)
    expect((await operationOf(laptop, id)).status.state).toBe("SUCCEEDED");
  expect(await logOf(laptop.deps)).toEqual([]);

  open();
  await laptop.pass(minutes(5));
  const log = await logOf(laptop.deps);
  const bySubject = Map.groupBy(log, ({ event }) => event.subject);
  expect(bySubject.size).toBe(16);
  for (const told of bySubject.values()) {
    const sequences = told.map(({ event }) => event.sequence);
    expect(sequences).toEqual(sequences.map((_, n) => n + 1));
    expect(told.length).toBeGreaterThan(1);
  }
});
