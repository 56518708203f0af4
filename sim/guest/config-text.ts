import type * as z from "zod";
import { readYaml } from "../../core/kernel/input/yaml.ts";

/**
 * Parses configuration that is YAML text in an object, like its reader would; undefined when the reader
 * could not start with it.
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
