import { expect, it } from "vitest";
import { outcomeOf, type Turn } from "./turn.ts";

const half = { program: ["Kea 3.0.4"] };
const up = { program: ["Kea 3.0.4", "PowerDNS 5.1.5"] };
const missing = { ...half, skipped: ["PowerDNS: there is no apt-get"] };

it.each<[string, Record<string, string[]>, Pick<Turn, "code" | "passed">, string]>([
  ["all cases passed", up, { code: 0, passed: 7 }, "succeeded"],
  ["a case failed", up, { code: 1, passed: 6 }, "failed"],
  ["the program cannot be had", missing, { code: 0, passed: 0 }, "skipped"],
  ["the program was not up in time", {}, { code: undefined, passed: 0 }, "skipped"],
  ["one of its programs was not up in time", half, { code: undefined, passed: 0 }, "skipped"],
  ["the tests of a program that is up hung", up, { code: undefined, passed: 0 }, "failed"],
  ["no case passed, with success", up, { code: 0, passed: 0 }, "failed"],
  ["the script ended without a word", {}, { code: 0, passed: 0 }, "failed"],
  ["the script failed without a word", {}, { code: 1, passed: 0 }, "failed"],
])("a turn in which %s", (_, said, { code, passed }, outcome) => {
  const turn = { said: new Map(Object.entries(said)), code, passed, all: 7 };
  const { cases, hasFailed } = outcomeOf(
    { name: "site", limit: 8, scripts: ["kea.sh", "powerdns.sh"] },
    turn,
  );
  expect(hasFailed ? "failed" : cases === "skipped" ? "skipped" : "succeeded").toBe(outcome);
});
