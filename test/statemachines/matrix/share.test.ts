import { expect, it } from "vitest";
import { Share, type Sort } from "../../support/matrix/share.ts";

const cases: Record<Sort, number[]> = {
  inside: [1, 2, 3, 4, 5, 6, 7],
  outside: [1, 2, 3, 4],
  stop: [1, 2],
};
const states = ["A", "B", "C", "Undo A"].map((name) => ({
  name,
  sorts: (name.startsWith("Undo")
    ? ["inside", "outside"]
    : ["inside", "outside", "stop"]) satisfies Sort[],
}));
/** What the files of a saga take together. */
const taken = (matrix: string): string[] => {
  const share = new Share(matrix);
  return states.flatMap((state) =>
    state.sorts.flatMap((sort) =>
      share.of(
        state,
        sort,
        cases[sort].map((way) => `${state.name}: ${sort} ${way}`),
      ),
    ),
  );
};

it.each(["0", "1", "2", "a53edac", "fffffff"])("share %s has one case of each state", (turn) => {
  expect(taken(turn).map((name) => name.split(":")[0])).toEqual(states.map(({ name }) => name));
  expect(taken(turn)).toEqual(taken(turn));
});

it("shares in a row come to the whole", () => {
  const inTurn = Array.from({ length: 3 * 7 * 4 }, (_, turn) => taken(turn.toString(16))).flat();
  expect([...new Set(inTurn)].sort()).toEqual(taken("whole").sort());
});

it("a sort without a case has none in any share", () => {
  for (const turn of ["0", "1", "2"])
    expect(new Share(turn).of({ name: "A", sorts: ["inside", "outside"] }, "outside", [])).toEqual(
      [],
    );
});

it("says how much it took of how much, and how to take it again", () => {
  const share = new Share("abc");
  share.of({ name: "A", sorts: ["inside"] }, "inside", cases.inside);
  expect(String(share)).toBe("1 of 7 (the same again with MATRIX=abc)");
});
