import { createHash } from "node:crypto";
import { canonicalJson } from "../input/canonical-json.ts";
import type { Wire } from "../object/wire-form.ts";
import type { AuditAct } from "./entry.ts";

/** The limit, in bytes, of `before` and `after` together; an item of the store holds 400 KB. */
const sizeLimit = 320 * 1024;

/** Drops the larger of `before` and `after` when both do not fit; its hash stays as proof of the content. */
export function fitting<Act extends Pick<AuditAct, "before" | "after">>(act: Act): Act {
  const { before, after } = act;
  const [b, a] = [sizeOf(before), sizeOf(after)];
  if (b + a <= sizeLimit) return act;
  if (before && b >= a) return { ...act, before: digestOf(before) };
  return after ? { ...act, after: digestOf(after) } : act;
}

const sizeOf = (wire: Wire | undefined): number =>
  wire === undefined ? 0 : Buffer.byteLength(JSON.stringify(wire));

const digestOf = (wire: Wire): Wire => ({
  omitted_bytes: sizeOf(wire),
  sha256: createHash("sha256").update(canonicalJson(wire)).digest("hex"),
});
