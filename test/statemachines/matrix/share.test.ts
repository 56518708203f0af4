import { expect, it } from "vitest";
import { combinations } from "../../support/matrix/all.ts";
import { type Combination, howName, titleOf } from "../../support/matrix/derive.ts";
import { shareOf } from "../../support/matrix/share.ts";

const possible = combinations.filter(({ impossible }) => impossible === undefined);
const numbers = [0, 1, 2, 3, 0xa53edac, 0xfffffff];
const stateOf = ({ saga, state }: Combination): string => `${saga}: ${state.name}`;
const shareNames = (number: number): string[] =>
  [...shareOf(combinations, number)].map((each) => `${each.saga}: ${titleOf(each)}`);

it.each(numbers)(
  "share %i meets every state of every saga, every way and every request",
  (number) => {
    const share = [...shareOf(combinations, number)];
    expect(new Set(share.map(stateOf))).toEqual(new Set(possible.map(stateOf)));
    const hows = (some: Combination[]) => new Set(some.map(({ how }) => howName(how)));
    expect(hows(share)).toEqual(hows(possible));
    // Hardly more than one case of each state.
    expect(share.length).toBeLessThan(1.1 * new Set(possible.map(stateOf)).size);
  },
);

it("the same number is the same share, and the next one is another", () => {
  expect(shareNames(1)).toEqual(shareNames(1));
  expect(shareNames(2)).not.toEqual(shareNames(1));
});

it("shares in a row meet every change of every saga that is not large", () => {
  const changeOf = ({ saga, change }: Combination): string => `${saga}: ${change}`;
  const small = possible.filter(({ isLarge }) => !isLarge);
  const most = Math.max(
    ...[...Map.groupBy(small, ({ saga }) => saga).values()].map(
      (some) => new Set(some.map(changeOf)).size,
    ),
  );
  // A saga of which every change is large is in each share all the same.
  const row = Array.from({ length: 2 * most }, (_, number) => [...shareOf(combinations, number)])
    .flat()
    .filter(({ isLarge }) => !isLarge);
  expect(new Set(row.map(changeOf))).toEqual(new Set(small.map(changeOf)));
});
