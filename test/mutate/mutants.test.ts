import { expect, it } from "vitest";
import { mutantsOf } from "./mutants.ts";

/** What of a file is changed to see whether a test notices. */

const changesOf = (source: string): string[] =>
  mutantsOf(source).map(({ before, after }) => `${before} => ${after}`);

it.each<[string, string, string[]]>([
  ["a condition", "if (isOff) go();", ["isOff => true", "isOff => false", "go(); => ;"]],
  ["a comparison", "x = a <= b;", ["x = a <= b; => ;", "a <= b => a < b"]],
  ["both and either", "f = (a && b);", ["f = (a && b); => ;", "a && b => ((a) || (b))"]],
  ["a default", "f = a ?? b;", ["f = a ?? b; => ;", "a ?? b => a"]],
  ["what is negated", "const f = !a;", ["!a => a"]],
  ["a method of lists", "const f = all.filter(isOff);", ["all.filter(isOff) => all"]],
  ["a method that is called as one of every object", "const f = n.toString();", []],
  ["a spread", "const f = { ...a, b };", ["...a => ...{}"]],
  ["a refusal", "throw new Error(said);", ["throw new Error(said); => ;"]],
  ["no text, and no type", 'const said: boolean = "it is true" as any;', []],
])("%s", (_, source, expected) => {
  expect(changesOf(source)).toEqual(expected);
});

it("a mutant is the whole file with one change, and its types", () => {
  const source = "const off: boolean = true;\nconst on: boolean = a === b;\n";
  expect(mutantsOf(source)).toEqual([
    {
      ...{ line: 1, before: "true", after: "false" },
      source: "const off: boolean = false;\nconst on: boolean = a === b;\n",
    },
    {
      ...{ line: 2, before: "a === b", after: "a !== b" },
      source: "const off: boolean = true;\nconst on: boolean = a !== b;\n",
    },
  ]);
});
