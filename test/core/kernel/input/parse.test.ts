import { expect, it } from "vitest";
import * as z from "zod";
import { parseLeniently } from "../../../../core/kernel/input/parse.ts";

const schema = z.strictObject({
  name: z.string(),
  sizes: z.record(z.string(), z.int()).optional(),
  list: z.array(z.int()).optional(),
  inner: z.strictObject({ a: z.int().optional(), b: z.int() }).optional(),
});

it("goes on with what is right, and names everything that is wrong", () => {
  const { value, violations } = parseLeniently(schema, {
    name: "x",
    sizes: { one: 1, two: "2", three: null },
    list: [1, "2", 3],
    inner: { a: "1", b: 2, c: 3 },
    more: {},
  });
  expect(value).toEqual({ name: "x", sizes: { one: 1 }, inner: { b: 2 } });
  expect(violations.map(({ field }) => field).sort()).toEqual([
    "inner.a",
    "inner.c",
    "list[1]",
    "more",
    "sizes.three",
    "sizes.two",
  ]);
});

it("has nothing to go on with when what is left makes no sense", () => {
  const { value, violations } = parseLeniently(schema, { name: 1, list: [] });
  expect(value).toBeUndefined();
  expect(violations.map(({ field }) => field)).toEqual(["name"]);
});

it("takes an object away that is wrong as a whole and in part", () => {
  const whole = z.strictObject({
    inner: z
      .strictObject({ a: z.int() })
      .refine(() => false, { error: "is wrong", when: () => true })
      .optional(),
  });
  const { value, violations } = parseLeniently(whole, { inner: { a: "1" } });
  expect(value).toEqual({});
  expect(violations.map(({ field }) => field)).toEqual(["inner.a", "inner"]);
});
