import { expect, it } from "vitest";
import { fewestHubs, largestSlope, slopeOf } from "../../bench/growth/slopes.ts";

const sizes = [100, 1000, 10_000];
const slope = (count: (size: number) => number) =>
  slopeOf(sizes.map((size) => ({ size, count: count(size) })));

it.each<[string, (size: number) => number, boolean]>([
  ["the same everywhere", () => 42, false],
  ["nothing", () => 0, false],
  ["a step more in the largest world, of ten", (size) => (size < 10_000 ? 10 : 11), false],
  ["a few in a hundred more or less", (size) => (size === 1000 ? 103 : 100), false],
  ["less and less", (size) => 10_000 / size, false],
  ["with the logarithm", Math.log, true],
  ["with the root", Math.sqrt, true],
  ["in proportion", (size) => size, true],
  ["in proportion, beside what is always there", (size) => 1000 + size / 10, true],
  ["from nothing on", (size) => (size < 10_000 ? 0 : 1), true],
])("a count that is %s: the bound tells whether it grows", (_, count, grows) => {
  expect(slope(count) > largestSlope).toBe(grows);
});

it("a count in proportion has the slope 1, and one of a single world none", () => {
  expect(slope((size) => 3 * size)).toBeCloseTo(1);
  expect(slopeOf([{ size: fewestHubs, count: 7 }])).toBe(0);
});
