import * as z from "zod";
import type { Condition } from "./condition.ts";
import type { Reference } from "./metadata.ts";
import type { AnyObject } from "./object.ts";

/**
 * The members that every kind has on the wire (docs/reference/osac-rest.md §3). Unset members are left
 * out.
 */

const timestampSchema = z.iso.datetime();

export const metadataSchema = z.object({
  name: z
    .string()
    .describe("Unique in its tenant and project: 1 to 63 lowercase letters, digits or `-`."),
  tenant: z.string().describe("Name of the tenant that it belongs to."),
  project: z
    .string()
    .optional()
    .describe(
      "Path of its project, such as `shop.web`; absent for what belongs to the whole tenant.",
    ),
  creator: z.string().describe("The user whose request made it."),
  creation_timestamp: timestampSchema.optional().describe("When it was created."),
  deletion_timestamp: timestampSchema
    .optional()
    .describe("When its deletion was requested; absent otherwise."),
  labels: z.record(z.string(), z.string()).describe("Short texts by key, for selecting objects."),
  annotations: z
    .record(z.string(), z.string())
    .describe("Longer texts by key, for whoever needs them."),
  display_name: z.string().optional().describe("A name for people."),
  description: z.string().optional().describe("A sentence for people."),
  version: z.int().optional().describe("Counts the changes a user made, from 0; also the ETag."),
});

export const referenceSchema = z.object({
  id: z.string().describe("The id of the object that is referred to."),
  name: z.string().describe("The name of the object that is referred to."),
});

export const conditionSchema = <Types extends readonly [string, ...string[]]>(types: Types) =>
  z.object({
    type: z.enum(types).describe("The condition's type."),
    status: z
      .enum(["CONDITION_STATUS_TRUE", "CONDITION_STATUS_FALSE", "CONDITION_STATUS_UNSPECIFIED"])
      .describe("Whether it holds; unspecified while that is not known."),
    reason: z.string().optional().describe("Why, as one word for programs."),
    message: z.string().optional().describe("Why, in words for people."),
    last_transition_time: timestampSchema.describe("When `status` last changed."),
  });

export const timeSchema = timestampSchema;

/** Replaces a secret in answers. A client that sends it back keeps the stored secret. */
export const masked = "***";

export function metadataView({ metadata, generation }: AnyObject): z.output<typeof metadataSchema> {
  return { ...metadata, version: generation };
}

export function conditionView<Type extends string>({
  reason,
  message,
  ...condition
}: Condition<Type>) {
  return {
    ...condition,
    ...(reason === "" ? {} : { reason }),
    ...(message === "" ? {} : { message }),
  };
}

/** Host types and versions are referenced by their name, which is also their id. */
export const named = (name: string): Reference => ({ id: name, name });
