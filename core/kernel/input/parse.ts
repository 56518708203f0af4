import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import { AppError, type Violation } from "../../error.ts";
import { fieldOf, type Issue, valueAt, violationOf } from "./field.ts";
import { isObject, type Json } from "./shape.ts";

/** All violations of a body. */
export const violationsOf = (error: z.core.$ZodError): Violation[] =>
  issuesOf(error).map(violationOf);

/** Like `violationsOf`, with paths that callers can look up. */
export function issuesOf(error: z.core.$ZodError): Issue[] {
  return error.issues.flatMap((issue): Issue[] => {
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({
        path: [...issue.path, key],
        message: "is not a known field",
      }));
    }
    const { path } = issue;
    if (issue.code === "invalid_key")
      return [{ path, message: issue.issues[0]?.message ?? issue.message }];
    return [{ path, message: messageOf(issue) }];
  });
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type" && issue.message.endsWith("received undefined"))
    return "is required";
  return issue.message
    .replace(/^Invalid (input|option): expected /, "must be ")
    .replace(/^Too (small|big): expected \w+ to /, "must ");
}

/** Throws Invalid if there are violations, sorted by field. */
export function refuseViolations(violations: Violation[]): void {
  if (violations.length === 0) return;
  const sorted = violations.toSorted((a, b) =>
    a.field < b.field ? -1 : a.field > b.field ? 1 : 0,
  );
  const said = sorted.slice(0, inMessage).map(({ field, message }) => `${field}: ${message}`);
  const more = sorted.length - said.length;
  const message = [...said, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
  throw new AppError("Invalid", `validation failed: ${message}`, { violations: sorted });
}

/** The number of violations in the message; the error's list has more. */
const inMessage = 20;

/** Parses. Throws Invalid with every violation. */
export function parseOrRefuse<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  refuseViolations(violationsOf(result.error));
  throw new AppError("Internal", "a request was refused without saying why");
}

/**
 * Parses; if members are wrong, parses again without them, so that one answer can also report faults against
 * other objects. `value` is undefined if too little is left.
 */
export function parseLeniently<Output>(
  schema: z.ZodType<Output>,
  input: Json,
): { value: Output | undefined; violations: Violation[] } {
  const result = schema.safeParse(input);
  if (result.success) return { value: result.data, violations: [] };
  return withoutWrong(schema, input, result.error);
}

/** The parsed input without the invalid members. */
function withoutWrong<Output>(
  schema: z.ZodType<Output>,
  input: Json,
  error: z.ZodError,
): { value: Output | undefined; violations: Violation[] } {
  const wrong = error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => [...issue.path, key])
      : [issue.path],
  );
  const rest = without(input, wrong);
  return { value: schema.safeParse(rest).data, violations: violationsOf(error) };
}

/**
 * Parses a change from `shown`, the object as the client sees it, to `edited`. An unchanged value that violates
 * a newer rule is kept and is no violation, so that other values can still be changed.
 */
export function parseChange<Output>(
  schema: z.ZodType<Output>,
  { shown, edited }: { shown: Json; edited: Json },
): { value: Output | undefined; violations: Violation[] } {
  const result = schema.safeParse(edited);
  if (result.success) return { value: result.data, violations: [] };
  const { error } = schema.safeParse(shown);
  // No stored value violates a rule, so every violation is new.
  if (!error) return withoutWrong(schema, edited, result.error);
  const before = issuesOf(error);
  const found = issuesOf(result.error);
  const whole = withFaults(schema, edited);
  // A value of the wrong type would break the reader of the result.
  const isOfType = (path: PropertyKey[]) =>
    !result.error.issues.some(
      (issue) => issue.code === "invalid_type" && isDeepStrictEqual(issue.path, path),
    );
  const stored = found.filter(({ path, message }) => {
    const value = valueAt(edited, path);
    return (
      value !== undefined &&
      isDeepStrictEqual(value, valueAt(shown, path)) &&
      isDeepStrictEqual(value, valueAt(whole, path)) &&
      before.some((each) => each.message === message && isDeepStrictEqual(each.path, path)) &&
      isOfType(path)
    );
  });
  // All violations are in stored values, which an earlier schema accepted.
  if (stored.length === found.length) return { value: whole as Output, violations: [] };
  const fields = new Set(stored.map(({ path }) => fieldOf(path)));
  const { value, violations } = withoutWrong(schema, edited, result.error);
  return { value, violations: violations.filter(({ field }) => !fields.has(field)) };
}

/** The parsed value even with violations, for which `safeParse` answers no value. */
function withFaults(schema: z.ZodType, value: Json): unknown {
  const parsed = schema._zod.run({ value: structuredClone(value), issues: [] }, { async: false });
  return parsed instanceof Promise ? undefined : parsed.value;
}

/** The value without these members, in one walk for any number of them. */
function without(value: Json, paths: PropertyKey[][]): Json {
  if (!isObject(value)) return value;
  const wrong = Map.groupBy(paths, ([name]) => name);
  const left = Object.entries(value).flatMap(([name, child]): [string, Json][] => {
    const below = wrong.get(name)?.map(([, ...rest]) => rest);
    if (!below) return [[name, child]];
    // A list is removed as a whole, because without one item the others would change positions.
    const descends = isObject(child) && below.every((path) => path.length > 0);
    return descends ? [[name, without(child, below)]] : [];
  });
  return Object.fromEntries(left);
}
