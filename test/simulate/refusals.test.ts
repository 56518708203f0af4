import { expect, it } from "vitest";
import { Refusals } from "../../simulate/refusals.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

it.each([
  [422, 0, true],
  [403, 20_000, true],
  [409, 20_000, true],
  [409, 25_000, false],
  [503, 0, false],
  [429, 0, false],
])("a call that is answered %i explains a failure %i ms later: %s", async (status, ms, does) => {
  const clock = new VirtualClock();
  const refusals = new Refusals(clock);
  refusals.note(status);
  await clock.advance(ms);
  expect(refusals.explain(clock.now())).toBe(does);
  expect(refusals.explain(clock.now() - ms - 1)).toBe(false);
});
