import { parse } from "yaml";
import type * as z from "zod";

/**
 * Configuration that stands as YAML in an object, as whoever reads it takes it; undefined when it
 * cannot start with it.
 */
export function configured<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): z.infer<Schema> | undefined {
  try {
    return schema.safeParse(parse(text)).data;
  } catch {
    return undefined;
  }
}
