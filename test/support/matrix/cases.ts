import { afterAll, beforeAll, expect, it } from "vitest";
import { isWhole, seed } from "../seed.ts";
import { combinations } from "./all.ts";
import { newCounts } from "./close.ts";
import { titleOf } from "./derive.ts";
import { runCase } from "./run.ts";
import { sampleOf } from "./sample.ts";
import type { Subject } from "./stage.ts";
import type { Sort } from "./way.ts";

/** The parts of a saga's matrix, each in a file of its own, so that they run side by side. */
const parts = {
  /** Broken from inside. */
  inside: ["act", "time", "wait"],
  /** Broken by the world, or between two calls. */
  outside: ["call", "wire"],
  /** Met by a cancel, a deletion or another wish. */
  requests: ["request"],
} as const satisfies Record<string, readonly (Sort | "request")[]>;
export type Part = keyof typeof parts;
export const partNames = Object.keys(parts) as Part[];

/** The combinations of one part of a saga. */
export const partOf = (saga: string, part: Part) =>
  combinations.filter(
    (each) => each.saga === saga && parts[part].some((sort) => sort === each.sort),
  );

/** Runs one part of a saga's matrix: all of it, or what the sample has of it. */
export function matrixOf(subject: Subject, saga: string, part: Part): void {
  const all = partOf(saga, part);
  const possible = all.filter(({ impossible }) => impossible === undefined);
  const chosen = isWhole ? undefined : sampleOf(combinations, seed);
  const cases = possible.filter((each) => chosen?.has(each) ?? true);
  const counts = newCounts();
  beforeAll(() => {
    Object.assign(counts, newCounts());
  });
  it.each(cases.map((combination) => [titleOf(combination), combination] as const))(
    "%s",
    async (_, combination) => {
      counts.run += 1;
      await runCase({ subject, combination, counts });
    },
  );
  it("every combination is a case or is impossible, and each case of the sample was run", ({
    task,
  }) => {
    const reasons = reasonsOf(all);
    task.meta.matrix = {
      name: `${saga}, ${part}`,
      combinations: all.length,
      impossible: reasons,
      ...counts,
    };
    expect(new Set(possible.map(titleOf)).size).toBe(possible.length);
    const impossible = Object.values(reasons).reduce((total, each) => total + each, 0);
    expect(possible.length + impossible).toBe(all.length);
    expect(counts.run).toBe(cases.length);
    expect(counts.lost).toBe(0);
    expect(counts.leaked).toBe(0);
  });
  afterAll(() => {
    console.log(`${saga}, ${part}: ${cases.length} of ${possible.length} possible cases`);
  });
}

/** How many combinations are impossible, by their reasons. */
const reasonsOf = (all: ReturnType<typeof partOf>): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(all, ({ impossible = "" }) => impossible)].flatMap(([why, each]) =>
      why === "" ? [] : [[why, each.length]],
    ),
  );
