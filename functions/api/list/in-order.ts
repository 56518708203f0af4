import * as z from "zod";
import type { Kind } from "../../../core/model/object.ts";
import { cursorAt } from "../../../core/store/cursor.ts";
import type { Store } from "../../../core/store/store.ts";
import type { PageItems } from "./page-items.ts";
import { objectsIn, type Partition } from "./source.ts";
import { decodeToken, encodeToken, notOurs } from "./token.ts";

/** Where a walk over partitions stands: the partition, and the store's own cursor in it. */
const placeSchema = z.strictObject({ in: z.int().min(0), at: z.string().optional() });
type Place = z.output<typeof placeSchema>;

/**
 * Fills a page in order of creation; answers the token of the next. It costs the same wherever it
 * lies, but for what an offset skips. Pages hold together when objects come and go meanwhile:
 * nothing is left out or shown twice.
 */
export async function pageInOrder<K extends Kind>(
  store: Store,
  kind: K,
  partitions: Partition[],
  { offset, token }: { offset: number; token: string | undefined },
  page: PageItems<K>,
): Promise<string | undefined> {
  // Of one who sees no project, say.
  if (partitions.length === 0 && token === undefined) return undefined;
  let place: Place = token === undefined ? { in: 0 } : decodeToken(token, placeSchema);
  if (place.in >= partitions.length) throw notOurs();
  let skip = offset;
  while (page.wanted > 0 && place.in < partitions.length) {
    const { items, next } = await read(store, partitions, place, skip || page.wanted);
    const here = partitions[place.in];
    const objects = skip > 0 || !here ? [] : await objectsIn(store, kind, here, items);
    for (const [n, item] of skip > 0 ? [] : items.entries()) {
      const object = objects[n];
      if (object && !page.add(object)) return encodeToken(place);
      place = { in: place.in, at: cursorAt(item, partitions[place.in]?.index) };
    }
    skip -= Math.min(skip, items.length);
    place = next;
  }
  return (await hasMore(store, partitions, place)) ? encodeToken(place) : undefined;
}

async function read(store: Store, partitions: Partition[], place: Place, limit: number) {
  const partition = partitions[place.in];
  if (!partition) return { items: [], next: place };
  const page = await store.query({
    ...partition,
    limit,
    ...(place.at === undefined ? {} : { cursor: place.at }),
  });
  const next: Place =
    page.cursor === undefined ? { in: place.in + 1 } : { in: place.in, at: page.cursor };
  return { items: page.items, next };
}

/** A cursor says that there may be more; clients want to know. */
async function hasMore(store: Store, partitions: Partition[], place: Place): Promise<boolean> {
  let at = place;
  while (at.in < partitions.length) {
    const { items, next } = await read(store, partitions, at, 1);
    if (items.length > 0) return true;
    at = next;
  }
  return false;
}
