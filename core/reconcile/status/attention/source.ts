import type { Deps } from "../../../kernel/deps.ts";
import type { Kind } from "../../../kernel/object/object.ts";
import type { ObjectOf } from "../../../kernel/object/object-of.ts";
import { objectsIn } from "../../../kernel/object/records.ts";
import type { Query } from "../../../kernel/store/store.ts";

/** What the sources of attention have in common. */

export type AttentionDeps = Pick<Deps, "store" | "kinds" | "clock">;

/** No further page of a source is read once so many were. */
export const readOfEach = 200;

/** The objects that a query finds, as far as a source is read. */
export async function firstOf<K extends Kind>(
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
