import type { HonoRequest } from "hono";
import type * as z from "zod";
import { masked, merged } from "../../core/kernel/input/patch.ts";
import { isObject, type JsonObject } from "../../core/kernel/input/shape.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import type { Match, UpdateOptions } from "../../core/kernel/request/checks.ts";
import { hashOf, type Idempotency } from "../../core/kernel/request/idempotency.ts";
import type { Call } from "./call.ts";
import { badParameter, flagged } from "./parameters.ts";

/** Reads the headers and parameters that are conditions of a write. */

export function idempotencyOf(call: Call, kind: Kind, body: JsonObject): Idempotency | undefined {
  const key = call.c.req.header("Idempotency-Key");
  if (key === undefined) return undefined;
  if (!isIdempotencyKey(key)) {
    throw badParameter("Idempotency-Key", "must be 1 to 255 visible ASCII characters");
  }
  return { key, hash: hashOf(kind, body) };
}

export const isIdempotencyKey = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text);

/** Whether a request is a dry run, by `dry_run=true` or OSAC's header. Throws Invalid. */
export function isDryRun(request: HonoRequest): boolean {
  const header = request.header("X-Dry-Run")?.trim().toLowerCase() ?? "false";
  if (header !== "true" && header !== "false")
    throw badParameter("X-Dry-Run", "must be true or false");
  return flagged(request, "dry_run") || header === "true";
}

/** Reads `If-Match`. A weak ETag, or one that is not ours, matches nothing. */
export function matchOf({ c }: Call): Match {
  const given = c.req.header("If-Match")?.trim();
  if (given === undefined || given === "*") return {};
  // None of our ETags contains a comma, so splitting at commas is safe.
  const versions = given.split(",").map((tag) => /^"(0|[1-9]\d{0,14})"$/.exec(tag.trim())?.[1]);
  return {
    ifVersion: versions.flatMap((version) => (version === undefined ? [] : [Number(version)])),
  };
}

/**
 * The version that an update requires: of `lock=true` the body's metadata.version, of If-Match the ETag. Throws
 * Invalid.
 */
export function updateOptions(call: Call, body: JsonObject): UpdateOptions {
  const lock = flagged(call.c.req, "lock") ? versionIn(body) : undefined;
  return { ...matchOf(call), ...(lock === undefined ? {} : { lock }) };
}

/** The body's version; 0 when omitted, as in protobuf's JSON. */
function versionIn({ metadata }: JsonObject): number {
  const version = isObject(metadata) ? (metadata.version ?? 0) : 0;
  if (typeof version !== "number") throw badParameter("metadata.version", "must be an integer");
  return version;
}

/** The function by which a PATCH changes the current object into the desired one. */
export function mergeOf(
  call: Call,
  schema: z.ZodType,
  body: JsonObject,
): (current: JsonObject) => JsonObject {
  const mask = call.query("update_mask");
  // A client can neither change nor clear the members that the server writes.
  const { id: _, status: __, ...change } = body;
  if (mask === undefined) return (current) => merged(schema, current, change);
  const named = new Set(mask.split(",").map((path) => path.trim()));
  const paths = [...named].filter(
    (path) => path !== "" && path !== "id" && !/^status(\.|$)/.test(path),
  );
  return (current) => masked(schema, current, change, paths);
}
