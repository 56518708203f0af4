import type * as z from "zod";

/** Removes the bounds that zod gives each integer: they are limits of JavaScript, not of the member. */
export function withoutWidth(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** Replaces a union of one form by that form. Such a union gets a second form with its second adapter. */
export function withoutChoice(schema: z.core.JSONSchema.BaseSchema): void {
  const [only, ...others] = schema.oneOf ?? [];
  if (only === undefined || others.length > 0) return;
  delete schema.oneOf;
  Object.assign(schema, only, schema);
}
