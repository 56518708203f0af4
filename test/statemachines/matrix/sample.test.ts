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
  "sample %i meets every state and every change of every saga, every way and every request",
  (number) => {
    const sample = [...sampleOf(combinations, number)];
    expect(new Set(sample.map(stateOf))).toEqual(new Set(possible.map(stateOf)));
    const hows = (some: Combination[]) => new Set(some.map(({ how }) => howName(how)));
    expect(hows(sample)).toEqual(hows(possible));
    const changesOf = (some: Combination[]) =>
      new Set(
        some.filter(({ isLarge }) => !isLarge).map(({ saga, change }) => `${saga}: ${change}`),
      );
    expect(changesOf(sample)).toEqual(changesOf(possible));
    // Hardly more than one case of each state.
    expect(sample.length).toBeLessThan(1.2 * new Set(possible.map(stateOf)).size);
  },
);

it("the same number is the same sample, and the next one is another", () => {
  expect(sampleNames(1)).toEqual(sampleNames(1));
  expect(sampleNames(2)).not.toEqual(sampleNames(1));
});
