import { expect, it } from "vitest";
import { Share } from "../../support/matrix/share.ts";

const states = ["A", "B", "C"];
const ways = [1, 2, 3, 4, 5, 6, 7];
const taken = (matrix: string): string[] => {
  const share = new Share(matrix);
  return states.flatMap((state) => share.of(ways.map((way) => `${state}${way}`)));
};

it.each(["0", "a53edac", "fffffff"])(
  "share %s has one case of each state, in other ways",
  (turn) => {
    const cases = taken(turn);
    expect(cases.map((name) => name[0])).toEqual(states);
    expect(new Set(cases.map((name) => name[1])).size).toBe(states.length);
    expect(taken(turn)).toEqual(cases);
  },
);

it("shares in a row come to the whole", () => {
  const inTurn = ways.flatMap((turn) => taken(turn.toString(16)));
  expect(inTurn.sort()).toEqual(taken("whole"));
});

it("a state with one case has it in each share, one without any in none", () => {
  const share = new Share("5");
  expect(share.of(["only"])).toEqual(["only"]);
  expect(share.of([])).toEqual([]);
});

it("says how much it took of how much, and how to take it again", () => {
  const share = new Share("abc");
  share.of(ways);
  expect(String(share)).toBe("1 of 7 (the same again with MATRIX=abc)");
});
