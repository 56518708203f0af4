import type * as z from "zod";

/** Removes the bounds that zod adds to each integer: they are limits of JavaScript, not of the member. */
export function withoutWidth(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/**
 * Replaces a union with one alternative by that alternative. Such unions exist for ports with one adapter so
 * far.
 */
export function withoutChoice(schema: z.core.JSONSchema.BaseSchema): void {
  const [only, ...others] = schema.oneOf ?? [];
  if (only === undefined || others.length > 0) return;
  delete schema.oneOf;
  Object.assign(schema, only, schema);
}
