import { expect, it } from "vitest";
import { fieldOf, pathOf } from "../../../../core/kernel/input/field.ts";
import { parseYaml } from "../../../../core/kernel/input/yaml.ts";

const text = `a: 1
list:
  - name: x
    deep: {er: [1, 2]}
---
b: 2
`;

it("knows where everything stands, in each document", () => {
  const [first, second] = parseYaml(text).documents;
  expect(first?.value).toEqual({ a: 1, list: [{ name: "x", deep: { er: [1, 2] } }] });
  expect(first?.at([])).toEqual({ line: 1, column: 1 });
  expect(first?.at(["list"])).toEqual({ line: 2, column: 1 });
  expect(first?.at(["list", 0, "deep", "er", 1])).toEqual({ line: 4, column: 20 });
  expect(second?.at(["b"])).toEqual({ line: 6, column: 1 });
});

it("says where the nearest thing stands that is there", () => {
  const [first] = parseYaml(text).documents;
  expect(first?.at(["list", 0, "none", "at", "all"])).toEqual({ line: 3, column: 5 });
  expect(first?.at(["none"])).toEqual({ line: 1, column: 1 });
});

it.each([
  ["an open bracket", "a: [\n", 2],
  ["a key that is there twice", "a: 1\nb: 2\na: 3\n", 3],
  ["a tag that nobody knows", "a: 1\nb: !secret x\n", 2],
  ["an alias to nothing", "a: *b\n", 1],
  ["a tab for a blank", "a:\n\tb: 1\n", 2],
])("refuses %s with its line", (_, broken, line) => {
  const { documents, errors } = parseYaml(broken);
  expect(documents).toEqual([]);
  expect(errors[0]).toMatchObject({ line });
  expect(errors[0]?.message).not.toMatch(/\n|at line/);
});

it("refuses aliases that would fill the memory", () => {
  const ten = (name: string) => `[${Array(10).fill(`*${name}`).join(", ")}]`;
  const bomb = `a: &a [x]\nb: &b ${ten("a")}\nc: &c ${ten("b")}\nd: &d ${ten("c")}\n`;
  expect(parseYaml(bomb).errors).toHaveLength(1);
});

it("has no document where there is nothing but comments", () => {
  expect(parseYaml("# nothing\n---\n")).toEqual({ documents: [], errors: [] });
});

it("paths and fields are the same", () => {
  for (const field of ["a.b[0].c", "a", "list[3]", "a[0][1].b"])
    expect(fieldOf(pathOf(field))).toBe(field);
});
