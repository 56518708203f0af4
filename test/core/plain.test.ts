import { expect, it } from "vitest";
import { frozen } from "../../core/frozen.ts";
import { plain } from "../../core/plain.ts";

it("copies what JSON has of a value", () => {
  const value = {
    text: "a",
    zero: -0,
    nothing: undefined,
    none: null,
    list: [1, -0, undefined, { nothing: undefined }],
  };
  const copy = plain(value);
  expect(copy).toStrictEqual({ text: "a", zero: 0, none: null, list: [1, 0, null, {}] });
  expect(copy.list).not.toBe(value.list);
});

it("keeps a member of any name", () => {
  const value = JSON.parse('{ "__proto__": { "a": 1 }, "constructor": 2 }');
  expect(JSON.stringify(plain(value))).toBe('{"__proto__":{"a":1},"constructor":2}');
});

it("shares what nobody can change", () => {
  const shared = frozen({ deep: [1] });
  expect(plain({ shared }).shared).toBe(shared);
});
