import * as z from "zod";
import type { Kind } from "../../../core/model/object.ts";
import type { ObjectOf } from "../../../core/model/object-of.ts";
import { objectIn } from "../../../core/store/records.ts";
import type { Store } from "../../../core/store/store.ts";
import { decodeToken, encodeToken, notOurs } from "./token.ts";

/** Where a walk over partitions stands: the partition, and the store's own cursor in it. */
const placeSchema = z.strictObject({ in: z.int().min(0), at: z.string().optional() });
type Place = z.output<typeof placeSchema>;

type Partition = Parameters<Store["query"]>[0];

/**
 * A page in order of creation. It costs the same wherever it lies, but for what an offset skips.
 * Pages hold together when objects come and go meanwhile: nothing is left out or shown twice.
 */
export async function pageInOrder<K extends Kind>(
  store: Store,
  partitions: Partition[],
  { limit, offset, token }: { limit: number; offset: number; token: string | undefined },
): Promise<{ objects: ObjectOf[K][]; next: string | undefined }> {
  let place: Place = token === undefined ? { in: 0 } : decodeToken(token, placeSchema);
  if (place.in >= partitions.length) throw notOurs();
  const objects: ObjectOf[K][] = [];
  let skip = offset;
  while (objects.length < limit && place.in < partitions.length) {
    const wanted = skip > 0 ? skip : limit - objects.length;
    const { items, next } = await read(store, partitions, place, wanted);
    if (skip > 0) skip -= items.length;
    else objects.push(...items.map((item) => objectIn<K>(item)));
    place = next;
  }
  return {
    objects,
    next: (await hasMore(store, partitions, place)) ? encodeToken(place) : undefined,
  };
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
