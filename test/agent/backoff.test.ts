import { expect, it } from "vitest";
import { backoff } from "../../agent/backoff.ts";
import { seconds } from "../../core/clock.ts";

it.each([
  [0, 0],
  [1, 0],
  [2, seconds(1)],
  [3, seconds(2)],
  [4, seconds(4)],
  [5, seconds(8)],
  [6, seconds(16)],
  [7, seconds(30)],
  [20, seconds(30)],
])("after %i failures in a row the pause is %i ms, or down to half of it", (failures, pause) => {
  expect([backoff(failures, () => 1), backoff(failures, () => 0)]).toEqual([pause, pause / 2]);
});
