import { expect, it } from "vitest";
import { combinations } from "../../support/matrix/all.ts";
import { type Combination, howName, titleOf } from "../../support/matrix/derive.ts";
import { sampleOf } from "../../support/matrix/sample.ts";

const possible = combinations.filter(({ impossible }) => impossible === undefined);
const numbers = [0, 1, 2, 3, 0xa53edac, 0xfffffff];
const stateOf = ({ saga, state }: Combination): string => `${saga}: ${state.name}`;
const sampleNames = (number: number): string[] =>
  [...sampleOf(combinations, number)].map((each) => `${each.saga}: ${titleOf(each)}`);

it.each(numbers)(
  "sample %i meets every state of every saga, every way and every request",
  (number) => {
    const sample = [...sampleOf(combinations, number)];
    expect(new Set(sample.map(stateOf))).toEqual(new Set(possible.map(stateOf)));
    const hows = (some: Combination[]) => new Set(some.map(({ how }) => howName(how)));
    expect(hows(sample)).toEqual(hows(possible));
    // Hardly more than one case of each state.
    expect(sample.length).toBeLessThan(1.1 * new Set(possible.map(stateOf)).size);
  },
);

it("the same number is the same sample, and the next one is another", () => {
  expect(sampleNames(1)).toEqual(sampleNames(1));
  expect(sampleNames(2)).not.toEqual(sampleNames(1));
});

it("samples in a row meet every change of every saga that is not large", () => {
  const changeOf = ({ saga, change }: Combination): string => `${saga}: ${change}`;
  const small = possible.filter(({ isLarge }) => !isLarge);
  const most = Math.max(
    ...[...Map.groupBy(small, ({ saga }) => saga).values()].map(
      (some) => new Set(some.map(changeOf)).size,
    ),
  );
  // A saga of which every change is large is in each sample all the same.
  const row = Array.from({ length: 2 * most }, (_, number) => [...sampleOf(combinations, number)])
    .flat()
    .filter(({ isLarge }) => !isLarge);
  expect(new Set(row.map(changeOf))).toEqual(new Set(small.map(changeOf)));
});
