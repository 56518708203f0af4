import { expect, it } from "vitest";
import known from "./homonyms.json" with { type: "json" };
import { homonyms } from "./homonyms.ts";

/** A name means one thing in the product. Those in `homonyms.json` still mean several; the list only gets shorter. */

it("no exported name is defined in a second file", () => {
  const found = [...homonyms()].filter(([name]) => !known.includes(name));
  expect(found.map(([name, files]) => `${name}: ${files.join(", ")}`)).toEqual([]);
});

it("a name that is defined once by now is taken from the list", () => {
  const found = homonyms();
  expect(known.filter((name) => !found.has(name))).toEqual([]);
});

it("the list is in order and names each once", () => {
  expect(known).toEqual([...new Set(known)].toSorted());
});
