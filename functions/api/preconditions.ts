import type * as z from "zod";
import { masked, merged } from "../../core/input/patch.ts";
import { isObject, type JsonObject } from "../../core/input/shape.ts";
import type { Kind } from "../../core/model/object.ts";
import type { UpdateOptions } from "../../core/order/accepted.ts";
import { hashOf, type Idempotency } from "../../core/order/idempotency.ts";
import { badParameter, type Call } from "./call.ts";
import type { Route } from "./route.ts";

/** What headers and parameters say of how a write is meant. */

export function idempotencyOf(call: Call, kind: Kind, body: JsonObject): Idempotency | undefined {
  const key = call.c.req.header("Idempotency-Key");
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw badParameter("Idempotency-Key", "must be 1 to 255 visible ASCII characters");
  }
  return { key, hash: hashOf(kind, body) };
}

/** Whether a POST is only tried: `dry_run=true`, or OSAC's header. */
export function isDryRun(request: Asked, { verb }: Pick<Route, "verb">): boolean {
  if (verb !== "create") return false;
  const asked = request.query("dry_run");
  const isHeaded = request.header("X-Dry-Run")?.toLowerCase() === "true";
  return isHeaded || asked === "true" || asked === "";
}

interface Asked {
  query(name: string): string | undefined;
  header(name: string): string | undefined;
}

/** `lock=true` compares the body's metadata.version, If-Match the ETag. Throws Invalid. */
export function updateOptions(call: Call, body: JsonObject): UpdateOptions {
  const match = call.c.req.header("If-Match");
  const quoted = match === undefined ? undefined : /^(?:W\/)?"(\d{1,15})"$/.exec(match.trim())?.[1];
  // What is no ETag of ours matches nothing.
  const ifVersion = match === undefined || match.trim() === "*" ? undefined : Number(quoted ?? -1);
  const lock = call.flag("lock") ? versionIn(body) : undefined;
  return {
    ...(lock === undefined ? {} : { lock }),
    ...(ifVersion === undefined ? {} : { ifVersion }),
  };
}

/** 0 when it is left out, as protobuf's JSON does. */
function versionIn({ metadata }: JsonObject): number {
  const version = isObject(metadata) ? (metadata.version ?? 0) : 0;
  if (typeof version !== "number") throw badParameter("metadata.version", "must be an integer");
  return version;
}

/** How a PATCH makes the wanted object of the current one. */
export function mergeOf(
  call: Call,
  schema: z.ZodType,
  body: JsonObject,
): (current: JsonObject) => JsonObject {
  const mask = call.query("update_mask") ?? call.query("updateMask");
  // The server's own members are not the client's to change or to clear.
  const { id: _, status: __, ...change } = body;
  if (mask === undefined) return (current) => merged(schema, current, change);
  const paths = mask
    .split(",")
    .map((path) => path.trim())
    .filter((path) => path !== "" && path !== "id" && !/^status(\.|$)/.test(path));
  return (current) => masked(schema, current, change, paths);
}
