import type * as z from "zod";

/** Removes the bounds that zod gives each integer: those of JavaScript's numbers, not of a member. */
export function withoutWidth(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
