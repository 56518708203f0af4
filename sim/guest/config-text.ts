import type * as z from "zod";
import { readYaml } from "../../core/kernel/input/yaml.ts";

/**
 * Parses YAML configuration in an object, as the program that reads it would; undefined when that program could not
 * start with it.
 */
export function configured<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): z.infer<Schema> | undefined {
  try {
    return schema.safeParse(readYaml(text)).data;
  } catch {
    return undefined;
  }
}
