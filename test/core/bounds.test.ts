import { expect, it } from "vitest";
import { cut, cutLines, firstOf, most } from "../../core/bounds.ts";
import { noise } from "../support/noise.ts";

it.each([
  ["keeps what fits", "ab", 2, "ab"],
  ["keeps what fits, to the byte", "é😀", 6, "é😀"],
  ["ends with a mark, within the bytes", "abcdef", 5, "ab…"],
  ["cuts no character in two", "é😀x", 6, "é…"],
  ["cuts none of a surrogate's halves", "😀😀😀", 8, "😀…"],
  ["keeps a mark of byte order", "\ufeffabcdef", 8, "\ufeffab…"],
])("%s", (_, text, bytes, expected) => {
  expect(cut(text, bytes)).toBe(expected);
});

it("never has more bytes than it may, and is text", () => {
  for (let bytes = 3; bytes < 400; bytes++) {
    const text = cut(noise(1000), bytes);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
    expect(text.isWellFormed()).toBe(true);
    expect(text.endsWith("…")).toBe(true);
  }
});

it("says of a list how many are left out", () => {
  const lines = Array.from({ length: most.lines + 1 }, (_, n) => `${n}`);
  expect(cutLines(lines.slice(1))).toEqual(lines.slice(1));
  expect(cutLines(lines).at(-1)).toBe("and 2 more");
  expect(cutLines(lines)).toHaveLength(most.lines);
  expect(firstOf([1, 2, 3], 2, (left) => -left)).toEqual([1, -2]);
});
