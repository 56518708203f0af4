import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { listOf } from "./list-reporter.ts";
import { alone, smoke, waiting, withoutSmoke, worlds } from "./lists.ts";

const filesOf = (globs: readonly string[]): string[] => globs.flatMap((glob) => globSync(glob));

it("each test stands in at most one list, and each glob names tests", () => {
  const named = filesOf([...waiting, ...alone, ...worlds]);
  expect(named.filter((file, place) => named.indexOf(file) !== place)).toEqual([]);
  const globs = [...waiting, ...alone, ...worlds, ...Object.keys(withoutSmoke)];
  expect(globs.filter((glob) => globSync(glob).length === 0)).toEqual([]);
});

it("npm test has a part of each world, or it is said why not", () => {
  const excused = new Set(filesOf(Object.keys(withoutSmoke)));
  const hasSmoke = (file: string) => readFileSync(file, "utf8").includes(smoke);
  expect(filesOf(worlds).filter((file) => hasSmoke(file) === excused.has(file))).toEqual([]);
});

it("two runs have the same list when the same tests ran, in whatever order", () => {
  const tests = ["a", "b", "c"].map((name) => ({ file: "one.test.ts", name }));
  expect(listOf(tests)).toMatch(/^tests: 3 in 1 files, list [0-9a-f]{12}$/);
  expect(listOf(tests.toReversed())).toBe(listOf(tests));
  expect(listOf(tests.slice(1))).not.toBe(listOf(tests));
});
