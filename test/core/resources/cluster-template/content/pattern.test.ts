import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isFound,
  judgedLength,
  patternFault,
} from "../../../../../core/resources/cluster-template/content/pattern.ts";
import { tries } from "../../../../support/seed.ts";

const patterns = [
  "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$",
  "^([a-z]+\\.)*[a-z]+$",
  "a|bc?|^$",
  "^(?:a|ab)(?:c|bcd)*$",
  "(a*)*b",
  "^(a|a)*?b{2}$",
  "^.{2,}$",
  "\\bab\\b|\\Bc",
  "[^a-c\\]-]",
  "^[^]$|[]a",
  "\\x61\\u0062",
  "a{,2}|b{",
  "^(a{0}b){1,3}$",
  "\\.\\-\\/",
  "^\\d+[.\\d]*$",
  "((a?)?)+c",
  "a$b|$",
  "x*",
];

describe("a pattern", () => {
  it.each(patterns)("%s finds what JavaScript finds", (pattern) => {
    expect(patternFault(pattern)).toBeUndefined();
    const character = fc.constantFrom(..."abcdx.-/]^{},0 1\n");
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 8 }), (text) => {
        expect(isFound(pattern, text)).toBe(new RegExp(pattern).test(text));
      }),
      tries(300),
    );
  });

  it.each(["^(a+)+$", "^(a|a)*$", "^(a*)*$", "^a*a*a*a*a*a*$", "^(a|aa)+$"])(
    "%s judges at once what JavaScript would take ages for",
    (pattern) => {
      expect(isFound(pattern, `${"a".repeat(judgedLength - 1)}!`)).toBe(false);
      expect(isFound(pattern, "a".repeat(judgedLength))).toBe(true);
    },
  );

  it.each([
    ["(", "is not a regular expression"],
    ["a**", "is not a regular expression"],
    ["(?=a)b", "cannot have '(?=a)b'"],
    ["(?<!a)b", "cannot have '(?<!a)b'"],
    ["(?<name>a)", "cannot have '(?<name>a)'"],
    ["(a)\\1", "cannot have '\\1'"],
    ["\\p{L}", "cannot have '\\p{L}'"],
    ["^(a{1,99}){99}$", "repeats too much"],
    ["a{999999999999}", "repeats too much"],
    [`${"(".repeat(30)}a${")".repeat(30)}`, "is nested deeper than 20"],
  ])("%s is refused", (pattern, why) => {
    expect(patternFault(pattern)).toContain(why);
    expect(isFound(pattern, "a")).toBe(false);
  });
});
