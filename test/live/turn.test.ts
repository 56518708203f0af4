import { expect, it } from "vitest";
import { outcomeOf, type Turn } from "./turn.ts";

const up = { program: "moto 5.2.5" };
const missing = { skipped: "moto: there is no python3" };

it.each<[string, Record<string, string>, Pick<Turn, "code" | "passed">, string]>([
  ["all cases passed", up, { code: 0, passed: 7 }, "succeeded"],
  ["a case failed", up, { code: 1, passed: 6 }, "failed"],
  ["the program cannot be had", missing, { code: 0, passed: 0 }, "skipped"],
  ["the program was not up in time", {}, { code: undefined, passed: 0 }, "skipped"],
  ["the tests of a program that is up hung", up, { code: undefined, passed: 0 }, "failed"],
  ["no case passed, with success", up, { code: 0, passed: 0 }, "failed"],
  ["the script ended without a word", {}, { code: 0, passed: 0 }, "failed"],
  ["the script failed without a word", {}, { code: 1, passed: 0 }, "failed"],
])("a turn in which %s", (_, said, { code, passed }, outcome) => {
  const turn = { said: new Map(Object.entries(said)), code, passed, all: 7 };
  const { cases, hasFailed } = outcomeOf({ name: "aws", limit: 8 }, turn);
  expect(hasFailed ? "failed" : cases === "skipped" ? "skipped" : "succeeded").toBe(outcome);
});
