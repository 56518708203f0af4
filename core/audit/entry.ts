import { createHash } from "node:crypto";
import * as z from "zod";
import { canonicalJson } from "../canonical-json.ts";
import { behalfSchema } from "../events/events.ts";

/** What the audit says of one act: who, for whom, from where, what, before and after, with what result. */

/** SHA-256 in hex. */
const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);

const auditResults = [
  "AUDIT_RESULT_ACCEPTED",
  "AUDIT_RESULT_GRANTED",
  "AUDIT_RESULT_REFUSED",
] as const;

const objectSchema = z.record(z.string(), z.json());

export const auditActSchema = z.strictObject({
  id: z.string(),
  time: z.iso.datetime(),
  /** Whose object it is about; of an object that is not there, whose the caller is. */
  tenant: z.string(),
  actor: z.strictObject({ user: z.string(), tenant: z.string(), roles: z.array(z.string()) }),
  /** For whom, where the actor is a portal's service account. */
  on_behalf_of: behalfSchema.optional(),
  /** The address that the gateway saw; empty when it does not say. */
  source: z.string(),
  request_id: z.string(),
  kind: z.string(),
  object_id: z.string(),
  verb: z.string(),
  /** The operation that does the work. */
  operation: z.string().optional(),
  /** As administrators see it on the wire; one too large to be kept is `{omitted_bytes, sha256}`. */
  before: objectSchema.optional(),
  after: objectSchema.optional(),
  /** Accepted: a mutation; granted: a credential; refused: either. */
  result: z.enum(auditResults),
  /** The kind of error of a refusal, and the HTTP status that told it. */
  reason: z.string().optional(),
  status: z.int().optional(),
});
export type AuditAct = z.output<typeof auditActSchema>;

/** An act in its place: each entry of a chain has the hash of the one before it. */
export const auditEntrySchema = auditActSchema.extend({
  chain: z.int().min(0),
  /** From 1, without gaps. */
  position: z.int().positive(),
  /** Hash of the entry before; empty for the first. */
  previous: z.union([z.literal(""), digestSchema]),
  /** Of everything else in the entry. */
  hash: digestSchema,
});
export type AuditEntry = z.output<typeof auditEntrySchema>;

/** The hash that an entry must have: SHA-256 of the canonical JSON of all its other members. */
export function hashOfEntry({ hash: _, ...rest }: Omit<AuditEntry, "hash"> & { hash?: string }) {
  return createHash("sha256").update(canonicalJson(rest)).digest("hex");
}

/** The end of a chain: the position and hash of its last entry. */
export const auditHeadSchema = z.strictObject({
  chain: z.int().min(0),
  position: z.int().min(0),
  hash: z.string(),
});
export type AuditHead = z.output<typeof auditHeadSchema>;
