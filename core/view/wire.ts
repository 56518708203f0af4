import * as z from "zod";
import type { Condition } from "../model/condition.ts";
import type { AnyObject } from "../model/object.ts";

/** What every kind shows of itself on the wire (reference/osac-rest.md §4). Unset members are left out. */

const timestampSchema = z.iso.datetime();

export const metadataSchema = z.object({
  name: z.string(),
  tenant: z.string(),
  project: z.string().optional(),
  creator: z.string(),
  creation_timestamp: timestampSchema.optional(),
  deletion_timestamp: timestampSchema.optional(),
  labels: z.record(z.string(), z.string()),
  annotations: z.record(z.string(), z.string()),
  display_name: z.string().optional(),
  description: z.string().optional(),
  /** Counts the changes a user made; starts at 0. */
  version: z.int().optional(),
});

export const referenceSchema = z.object({ id: z.string(), name: z.string() });

export const conditionSchema = <Types extends readonly [string, ...string[]]>(types: Types) =>
  z.object({
    type: z.enum(types),
    status: z.enum([
      "CONDITION_STATUS_TRUE",
      "CONDITION_STATUS_FALSE",
      "CONDITION_STATUS_UNSPECIFIED",
    ]),
    reason: z.string().optional(),
    message: z.string().optional(),
    last_transition_time: timestampSchema,
  });

export const timeSchema = timestampSchema;

/** What stands in for a secret; sent back, it keeps the secret that is stored. */
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

/** Host types and versions go by their name, which is their id as well. */
export const named = (name: string): z.output<typeof referenceSchema> => ({ id: name, name });
