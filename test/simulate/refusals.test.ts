import { expect, it } from "vitest";
import { asOperationId } from "../../core/id.ts";
import { Refusals } from "../../simulate/refusals.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const task = { operation: asOperationId("one"), step: "Undo DeployControlPlane" };

it.each([
  [422, 0, true],
  [403, 20_000, true],
  [409, 20_000, true],
  [409, 25_000, false],
  [503, 0, false],
  [429, 0, false],
])(
  "a call that is answered %i explains a failure of its step %i ms later: %s",
  async (status, ms, does) => {
    const clock = new VirtualClock();
    const refusals = new Refusals(clock);
    refusals.note(status, task);
    await clock.advance(ms);
    expect(refusals.explain(task, clock.now())).toBe(does);
    expect(refusals.explain(task, clock.now() - ms - 1)).toBe(false);
  },
);

it("a refusal explains nothing of another step or operation, and that of nobody's call explains nothing", () => {
  const clock = new VirtualClock();
  const refusals = new Refusals(clock);
  refusals.note(422, task);
  refusals.note(422, undefined);
  const others = [
    { ...task, step: "Undo AttachHosts" },
    { ...task, operation: asOperationId("two") },
  ];
  expect(others.map((other) => refusals.explain(other, clock.now()))).toEqual([false, false]);
});
