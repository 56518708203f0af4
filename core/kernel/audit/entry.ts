import { createHash } from "node:crypto";
import * as z from "zod";
import { behalfSchema } from "../events/events.ts";
import { canonicalJson } from "../input/canonical-json.ts";

/** An audited action: who did what, for whom, from where, the object before and after, and the result. */

/** SHA-256 in hex. */
const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);

const auditResults = [
  "AUDIT_RESULT_ACCEPTED",
  "AUDIT_RESULT_GRANTED",
  "AUDIT_RESULT_REFUSED",
] as const;

const objectSchema = z.record(z.string(), z.json());

export const auditActSchema = z.strictObject({
  id: z.string().describe("Id of the entry."),
  time: z.iso.datetime().describe("Time of the action."),
  tenant: z
    .string()
    .describe(
      "The tenant of the object; of a missing object, and of a refusal, the caller's tenant.",
    ),
  actor: z
    .strictObject({
      user: z.string().describe("The user in the token."),
      tenant: z.string().describe("Name of the user's tenant; empty for the provider's people."),
      roles: z.array(z.string()).describe("Roles of the user."),
    })
    .describe("Who did it."),
  on_behalf_of: behalfSchema
    .optional()
    .describe("The customer, if the actor is a portal's service account."),
  source: z.string().describe("The address that the gateway saw; empty when it does not say."),
  request_id: z.string().describe("The `X-Request-Id` of the request."),
  kind: z.string().describe("The kind of object."),
  object_id: z.string().describe("The id of the object."),
  verb: z.string().describe("The action, such as `create`."),
  operation: z.string().optional().describe("Id of the operation that does the work."),
  before: objectSchema
    .optional()
    .describe(
      "The object before, as administrators see it; one too large to be kept is `{omitted_bytes, sha256}`.",
    ),
  after: objectSchema.optional().describe("The object afterwards, in the same form."),
  result: z
    .enum(auditResults)
    .describe("Accepted: a mutation; granted: a credential; refused: either."),
  reason: z.string().optional().describe("The kind of error of a refusal."),
  status: z.int().optional().describe("The HTTP status of a refusal."),
});
export type AuditAct = z.output<typeof auditActSchema>;

/** An action in its chain: each entry contains the hash of the previous one. */
export const auditEntrySchema = auditActSchema.extend({
  chain: z.int().min(0).describe("Number of its chain."),
  position: z.int().positive().describe("Position in the chain, from 1 and without gaps."),
  previous: z
    .union([z.literal(""), digestSchema])
    .describe("SHA-256 of the previous entry, in hex; empty for the first."),
  hash: digestSchema.describe("SHA-256 of all other members of the entry, in hex."),
});
export type AuditEntry = z.output<typeof auditEntrySchema>;

/** The hash of an entry: SHA-256 of the canonical JSON of all its other members. */
export function hashOfEntry({ hash: _, ...rest }: Omit<AuditEntry, "hash"> & { hash?: string }) {
  return createHash("sha256").update(canonicalJson(rest)).digest("hex");
}

/** The end of a chain: the position and hash of its last entry. */
export const auditHeadSchema = z.strictObject({
  chain: z.int().min(0).describe("Number of the chain."),
  position: z.int().min(0).describe("Position of the last entry."),
  hash: z.string().describe("Hash of its last entry; empty for a chain without entries."),
});
export type AuditHead = z.output<typeof auditHeadSchema>;
