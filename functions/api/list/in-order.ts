import * as z from "zod";
import type { Kind } from "../../../core/kernel/object/object.ts";
import { begun } from "../../../core/kernel/request/begun.ts";
import { cursorAt } from "../../../core/kernel/store/cursor.ts";
import type { Item, Page, Store } from "../../../core/kernel/store/store.ts";
import type { PageItems } from "./page-items.ts";
import { objectsIn, type Partition } from "./source.ts";
import { decodeToken, encodeToken, notOurs } from "./token.ts";

/** The position of a walk over partitions: the partition, and the store's own cursor in it. */
const placeSchema = z.strictObject({ in: z.int().min(0), at: z.string().optional() });
type WalkPlace = z.output<typeof placeSchema>;

/**
 * Fills a page in order of creation; answers the token of the next. Every page costs the same, except
 * for the items that an offset skips. Objects that are created or deleted between two pages do not make
 * other objects appear twice or not at all.
 */
export async function pageInOrder<K extends Kind>(
  store: Store,
  kind: K,
  partitions: Partition[],
  { offset, token }: { offset: number; token: string | undefined },
  page: PageItems<K>,
): Promise<string | undefined> {
  // A caller may have no partition, such as a member of no project.
  if (partitions.length === 0 && token === undefined) return undefined;
  let place: WalkPlace = token === undefined ? { in: 0 } : decodeToken(token, placeSchema);
  if (place.in >= partitions.length) throw notOurs();
  let skip = offset;
  const walk = new Walk(store, partitions);
  while (page.wanted > 0 && place.in < partitions.length) {
    // Begins to read the next partition too, since most pages have room for its objects.
    if (skip === 0) walk.begin(place.in + 1, page.wanted);
    const { items, next } = await walk.read(place, skip || page.wanted);
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
  return (await walk.hasMore(place)) ? encodeToken(place) : undefined;
}

/** Reads partitions, one after the other. */
class Walk {
  readonly #store: Store;
  readonly #partitions: Partition[];
  /** First pages whose read has begun. */
  readonly #begun = new Map<number, Promise<Page>>();

  constructor(store: Store, partitions: Partition[]) {
    this.#store = store;
    this.#partitions = partitions;
  }

  /** Begins to read a partition, if there is one, from its start. */
  begin(number: number, limit: number): void {
    const partition = this.#partitions[number];
    if (!partition || this.#begun.has(number)) return;
    this.#begun.set(number, begun(this.#store.query({ ...partition, limit })));
  }

  /** Reads a part of a partition. A read that has begun before may hold more than the limit. */
  async read(place: WalkPlace, limit: number): Promise<{ items: Item[]; next: WalkPlace }> {
    const partition = this.#partitions[place.in];
    if (!partition) return { items: [], next: place };
    const { at } = place;
    const page = await ((at === undefined && this.#begun.get(place.in)) ||
      this.#store.query({ ...partition, limit, ...(at === undefined ? {} : { cursor: at }) }));
    const next: WalkPlace =
      page.cursor === undefined ? { in: place.in + 1 } : { in: place.in, at: page.cursor };
    return { items: page.items, next };
  }

  /** Whether there are more objects. A cursor alone says only that there may be more. */
  async hasMore(place: WalkPlace): Promise<boolean> {
    let at = place;
    while (at.in < this.#partitions.length) {
      const { items, next } = await this.read(at, 1);
      if (items.length > 0) return true;
      at = next;
    }
    return false;
  }
}
