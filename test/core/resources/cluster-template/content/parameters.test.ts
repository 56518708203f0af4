import { describe, expect, it } from "vitest";
import {
  parameterIssues,
  refusalsOf,
} from "../../../../../core/resources/cluster-template/content/parameters.ts";
import type { Parameter } from "../../../../../core/resources/cluster-template/parameter.ts";

const parameter = (rest: Partial<Parameter>): Parameter => ({
  name: "p",
  type: "integer",
  ...rest,
});

describe("a value", () => {
  it.each([
    [{ schema: { minimum: 5, maximum: 9 } }, 4, ["must be >=5"]],
    [{ schema: { exclusiveMinimum: 5 } }, 5, ["must be >5"]],
    [{ schema: { multipleOf: 4, maximum: 5 } }, 6, ["must be <=5", "must be a multiple of 4"]],
    [{ schema: { enum: [1, 2] } }, 3, ["must be one of 1, 2"]],
    [
      { type: "string", schema: { minLength: 3, pattern: "^[a-z]+$" } },
      "A",
      ["must have >=3 characters", "must match pattern /^[a-z]+$/"],
    ],
    [
      { type: "string", schema: { pattern: "^(a+)+$" } },
      "a".repeat(1025),
      ["must have <=1024 characters"],
    ],
    [{ type: "string", schema: { format: "ipv4" } }, "10.0.0", ["must be a valid IPv4 address"]],
    [{ type: "string", schema: { format: "time" } }, "25:00:00Z", ["must be a valid time"]],
    [
      { type: "string", schema: { maxLength: 1, format: "email" } },
      "a@",
      ["must be a valid email address", "must have <=1 characters"],
    ],
  ] as const)("is refused for everything that %j says", (rest, value, expected) => {
    expect(refusalsOf(parameter(rest as Partial<Parameter>), value).sort()).toEqual(
      [...expected].sort(),
    );
  });

  it.each([
    ["date", "2026-02-28", "2026-02-30"],
    ["date-time", "2026-02-28T10:00:00+01:00", "2026-02-28 10:00"],
    ["duration", "P1DT2H", "1d"],
    ["email", "ann@example.com", "ann"],
    ["hostname", "a.example.com", "-a"],
    ["ipv4", "192.0.2.1", "192.0.2.256"],
    ["ipv6", "2001:db8::1", "2001:db8:::1"],
    ["time", "10:00:00Z", "10:00"],
    ["uri", "https://example.com/a", "example"],
    ["uuid", "019b76da-a800-74e5-b0dc-fd26d444caf1", "019b"],
  ] as const)("of format %s is %s and not %s", (format, good, bad) => {
    const text = parameter({ type: "string", schema: { format } });
    expect(refusalsOf(text, good)).toEqual([]);
    expect(refusalsOf(text, bad)).toHaveLength(1);
  });

  it("is fine within its schema", () => {
    expect(refusalsOf(parameter({ schema: { minimum: 5, multipleOf: 5 } }), 10)).toEqual([]);
    expect(refusalsOf(parameter({ type: "boolean" }), false)).toEqual([]);
    expect(refusalsOf(parameter({ type: "string", schema: { enum: ["a"] } }), "a")).toEqual([]);
  });
});

describe("a definition is refused", () => {
  it.each([
    ["a default of another type", { default: "x" }, ["default"]],
    ["a default that breaks its own schema", { default: 1, schema: { minimum: 2 } }, ["default"]],
    ["a default nobody could use", { default: 1, required: true }, ["default"]],
    [
      "a keyword of another type",
      { schema: { pattern: "a", minLength: 1 } },
      ["schema.pattern", "schema.minLength"],
    ],
    ["any keyword for a boolean", { type: "boolean", schema: { enum: [true] } }, ["schema.enum"]],
    ["choices of another type", { schema: { enum: [1, "2"] } }, ["schema.enum.1"]],
    ["a choice that is there twice", { schema: { enum: [1, 1] } }, ["schema.enum.1"]],
    [
      "a pattern that is none",
      { type: "string", default: "a", schema: { pattern: "(" } },
      ["schema.pattern"],
    ],
    [
      "a pattern that refers back",
      { type: "string", schema: { pattern: "(a)\\1" } },
      ["schema.pattern"],
    ],
    ["bounds that cross", { schema: { minimum: 3, maximum: 2 } }, ["schema.maximum"]],
    [
      "exclusive bounds that cross",
      { schema: { minimum: 3, exclusiveMaximum: 2 } },
      ["schema.exclusiveMaximum"],
    ],
    [
      "lengths that cross",
      { type: "string", schema: { minLength: 3, maxLength: 2 } },
      ["schema.maxLength"],
    ],
  ] as const)("with %s", (_, rest, expected) => {
    const issues = parameterIssues(parameter(rest as unknown as Partial<Parameter>));
    expect(issues.map(({ path }) => path.join("."))).toEqual(expected);
  });
});
