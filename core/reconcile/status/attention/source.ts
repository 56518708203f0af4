import type { Deps } from "../../../kernel/deps.ts";
import type { Kind } from "../../../kernel/object/object.ts";
import type { ObjectOf } from "../../../kernel/object/object-of.ts";
import { objectsIn } from "../../../kernel/object/records.ts";
import type { Query } from "../../../kernel/store/store.ts";

/** Shared code of the sources of attention. */

export type AttentionDeps = Pick<Deps, "store" | "kinds" | "clock">;

/** After this many objects, no further page of a source is read. */
export const readOfEach = 200;

/** The objects of a query, up to this limit. */
export async function firstObjects<K extends Kind>(
  deps: AttentionDeps,
  query: Query,
): Promise<ObjectOf[K][]> {
  const found: ObjectOf[K][] = [];
  for await (const some of objectsIn<K>(deps, query)) {
    found.push(...some);
    if (found.length >= readOfEach) break;
  }
  return found;
}
