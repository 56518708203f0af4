import { expect, it } from "vitest";
import { hours, minutes, seconds } from "../../../../core/clock.ts";
import { pauseAfter, retryWindow } from "../../../../core/resources/webhook/retry.ts";

it.each([
  [1, seconds(5)],
  [2, seconds(30)],
  [3, minutes(2)],
  [4, minutes(10)],
  [5, minutes(30)],
  [6, hours(1)],
  [7, hours(2)],
  [8, hours(3)],
  [9, hours(3)],
  [30, hours(3)],
])("after %i tries the pause is %i ms, a quarter more or less", (tries, pause) => {
  const drawn = [0, 0.5, 1].map((random) => pauseAfter(tries, () => random));
  expect(drawn).toEqual([0.75 * pause, pause, 1.25 * pause]);
});

it("tries go on for a day", () => {
  expect(retryWindow).toBe(hours(24));
});
