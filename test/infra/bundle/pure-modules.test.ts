import { describe, expect, it } from "vitest";
import * as z from "zod";
import { lazySchema } from "../../../infra/bundle/lazy-schema.ts";
import { withoutMembers, withPureConstants } from "../../../infra/bundle/pure-modules.ts";

/** The text without the import that a lazy schema needs. */
const bundled = (code: string): string =>
  withPureConstants(code).replace(/^import \{ lazySchema[^\n]*\n/, "");

describe("a constant of a module", () => {
  it.each([
    ["const size = 4 * unit();", "const size = /* @__PURE__ */ (() => (4 * unit()))();"],
    ["export const one = make();", "export const one = /* @__PURE__ */ (() => (make()))();"],
    ["const a = f(), b = 2;", "const a = /* @__PURE__ */ (() => (f()))(), b = 2;"],
  ])("may be left out: %s", (code, expected) => {
    expect(bundled(code)).toBe(expected);
  });

  it.each([
    "const plain = 1;",
    "const double = (n) => n * 2;",
    "export const handler = function () {};",
    "const { a, b } = await import(name);",
    "let count = start();",
    "start();",
    "function f() { const inner = g(); return inner; }",
  ])("stays as it is: %s", (code) => {
    expect(bundled(code)).toBe(code);
  });

  it.each([
    "const name = z.string().min(1);",
    "export const hubSchema = z.object({ id: z.string() });",
    "const input = hubSchema.omit({ id: true });",
    "const textSchema = text(63);",
    "const specSchema = hubSchema.shape.spec;",
    "const shape = { id: z.string(), note: 1 };",
  ])("that is a schema is made when it is first used: %s", (code) => {
    expect(bundled(code)).toMatch(/= \/\* @__PURE__ \*\/ slipwayLazySchema\(\(\) => \(.*\)\);$/);
  });

  it.each([
    "const known = nameSchema.parse(text);",
    "const found = nameSchema.safeParse(text);",
    "const words = stateSchema.options.map(String);",
    "const keys = Object.keys(hubSchema.shape);",
  ])("that is made by a schema is no schema: %s", (code) => {
    expect(bundled(code)).not.toContain("slipwayLazySchema");
  });
});

it("a step loses what a function never runs of it", () => {
  const code =
    'const one = step("A", { act: make, until: made, look }, { ...other, act: () => ({ act: 1 }) });';
  expect(withoutMembers(code, ["act", "look"])).toBe(
    'const one = step("A", { ...undefined, until: made, ...undefined }, { ...other, ...undefined });',
  );
  expect(withoutMembers(code, [])).toBe(code);
});

describe("a schema that is made when it is first used", () => {
  const made: string[] = [];
  const name = lazySchema(() => {
    made.push("name");
    return z.string().min(2);
  });
  const object = lazySchema(() => {
    made.push("object");
    return z.object({ name, note: z.string().optional() });
  });

  it("is not made by being named", () => {
    lazySchema(() => z.array(name));
    expect(made).toEqual([]);
  });

  it("does what the schema does, and is made once", () => {
    expect(object.parse({ name: "ab" })).toEqual({ name: "ab" });
    expect(object.safeParse({ name: "a" }).error?.issues[0]?.path).toEqual(["name"]);
    expect(object.extend({ more: z.int() }).parse({ name: "ab", more: 1 })).toHaveProperty("more");
    expect(z.object({ ...object.shape }).parse({ name: "ab" })).toEqual({ name: "ab" });
    expect(made).toEqual(["object", "name"]);
  });

  it("is one to whoever asks what it is", () => {
    expect(object).toBeInstanceOf(z.ZodObject);
    expect(name.optional()).toBeInstanceOf(z.ZodOptional);
    expect(z.union([name, object]).safeParse(5).success).toBe(false);
  });

  it("has the members that the schema has", () => {
    expect(Object.keys(object)).toContain("def");
    expect(Object.hasOwn(object, "_zod")).toBe(true);
    expect({ ...object }).toHaveProperty("def");
  });

  it("can be an object of schemas that is spread", () => {
    const shape = lazySchema(() => ({ a: z.string(), b: z.int() }));
    expect(z.object({ ...shape, c: z.boolean() }).parse({ a: "x", b: 1, c: true })).toHaveProperty(
      "b",
    );
  });
});
