import type * as z from "zod";
import { ServiceError } from "./errors.ts";

/**
 * Parses a request by its schema. Throws as AWS does: `SerializationException` for a wrong JSON type,
 * `ValidationException` for a missing member or a violated rule.
 */
export function readRequest<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const mistyped = issues.find((issue) => issue.code === "invalid_type" && !isMissing(issue));
  if (mistyped !== undefined) {
    const at = mistyped.path.length === 0 ? "the request" : `'${mistyped.path.join(".")}'`;
    throw new ServiceError("SerializationException", `${mistyped.message} at ${at}`);
  }
  const count = `${issues.length} validation ${issues.length === 1 ? "error" : "errors"} detected`;
  throw new ServiceError("ValidationException", `${count}: ${issues.map(describe).join("; ")}`);
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  return issue.path.length > 0 && (issue.input === undefined || issue.input === null);
}

function describe(issue: z.core.$ZodIssue): string {
  const member = `'${issue.path.join(".")}'`;
  return isMissing(issue)
    ? `Value null at ${member} failed to satisfy constraint: Member must not be null`
    : `Value at ${member} failed to satisfy constraint: ${issue.message}`;
}
