import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  parametersIn,
  placeholderIssues,
  rendered,
} from "../../../../../core/resources/cluster-template/content/placeholders.ts";
import type { Parameter } from "../../../../../core/resources/cluster-template/parameter.ts";
import { tries } from "../../../../support/seed.ts";

const parameters: Parameter[] = [
  { name: "n", type: "integer" },
  { name: "s", type: "string" },
];

describe("rendering", () => {
  it("puts values of their type where placeholders stand", () => {
    const tree = { replicas: { $parameter: "n" }, args: ["--name", { $parameter: "s" }] };
    expect(rendered(tree, { n: 3, s: "x" })).toEqual({ replicas: 3, args: ["--name", "x"] });
  });

  it("leaves out the member or the item whose parameter has no value", () => {
    const tree = { a: { $parameter: "n" }, b: [1, { $parameter: "n" }], c: 2 };
    expect(rendered(tree, {})).toEqual({ b: [1], c: 2 });
  });

  it("writes a tree as JSON where text is needed", () => {
    const tree = { "config.yaml": { $json: { on: { $parameter: "s" }, n: { $parameter: "n" } } } };
    expect(rendered(tree, { s: 'a": {"b' })).toEqual({
      "config.yaml": JSON.stringify({ on: 'a": {"b' }),
    });
  });

  it("never makes structure, or another placeholder, of a value", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const tree = { plain: { $parameter: "s" }, text: { $json: [{ $parameter: "s" }] } };
        const result = rendered(tree, { s: value });
        expect(Object(result).plain).toBe(value);
        expect(JSON.parse(Object(result).text)).toEqual([value]);
      }),
      tries(100),
    );
  });

  it("leaves text alone, whatever it looks like", () => {
    const tree = { a: "<%= n %>", b: "{{ n }}", c: "$parameter" };
    expect(rendered(tree, { n: 1 })).toEqual(tree);
  });

  it("does not reach what objects inherit", () => {
    expect(rendered({ a: { $parameter: "constructor" } }, {})).toEqual({});
  });
});

describe("a placeholder is refused", () => {
  it.each([
    ["that names no parameter", { a: [{ $parameter: "x" }] }, ["a", 0, "$parameter"]],
    ["that names nothing", { a: { $parameter: 3 } }, ["a", "$parameter"]],
    ["with company", { a: { $parameter: "n", b: 1 } }, ["a", "$parameter"]],
    ["as text with company", { $json: 1, b: 1 }, ["$json"]],
    [
      "inside of text",
      { a: { $json: { b: { $parameter: "x" } } } },
      ["a", "$json", "b", "$parameter"],
    ],
  ])("%s", (_, tree, path) => {
    expect(placeholderIssues(tree, parameters).map((issue) => issue.path)).toEqual([path]);
  });
});

it("finds the parameters that a tree uses, in text too", () => {
  const tree = { a: [{ $parameter: "n" }, "n"], b: { $json: { c: { $parameter: "s" } } } };
  expect(parametersIn(tree)).toEqual(["n", "s"]);
});
