import type { Names } from "./compiler.ts";
import type { Filter } from "./filter.ts";

/**
 * `compileFilter`, loaded with the first filter: the compiler is an eighth of the API's code, and most requests
 * have no filter.
 */
export async function compiled(text: string, names: Names): Promise<Filter> {
  const { compileFilter } = await import("./filter.ts");
  return compileFilter(text, names);
}
