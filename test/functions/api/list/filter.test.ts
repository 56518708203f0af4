import { expect, it } from "vitest";
import * as z from "zod";
import { compileFilter } from "../../../../functions/api/list/filter.ts";

const names = { roots: { this: z.object({ id: z.string() }) } };
/** A filter of so many characters. */
const long = (length: number) => `this.id == "${"x".repeat(length - 13)}"`;

it("a filter has 4,096 characters at most", () => {
  expect(long(4096)).toHaveLength(4096);
  expect(compileFilter(long(4096), names).matches({ this: { id: "x" }, now: "" })).toBe(false);
  expect(() => compileFilter(long(4097), names)).toThrow("is longer than 4096 characters");
});
