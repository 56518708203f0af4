import * as z from "zod";
import type { Kind } from "../../../core/kernel/object/object.ts";
import { begun } from "../../../core/kernel/request/begun.ts";
import { cursorAt } from "../../../core/kernel/store/cursor.ts";
import type { Item, Page, Store } from "../../../core/kernel/store/store.ts";
import type { PageItems } from "./page-items.ts";
import { objectsIn, type Partition, type Source } from "./source.ts";
import { notOurs } from "./token.ts";

/** The position of a walk over partitions: the partition, and the store's own cursor in it. */
export const placeSchema = z.strictObject({ in: z.int().min(0), at: z.string().optional() });
type WalkPlace = z.output<typeof placeSchema>;

/**
 * Fills a page in order of creation, from a place or behind so many others; answers the place of the
 * next. Every page costs the same, except that the objects that an offset skips are counted. Objects
 * that are created or deleted between two pages do not make other objects appear twice or not at all.
 */
export async function pageInOrder<K extends Kind>(
  store: Store,
  kind: K,
  { partitions, isIn }: Source,
  { offset, from }: { offset: number; from: WalkPlace | undefined },
  page: PageItems<K>,
): Promise<WalkPlace | undefined> {
  // A caller may have no partition, such as a member of no project.
  if (partitions.length === 0 && from === undefined) return undefined;
  const walk = new Walk(store, partitions);
  let place = from ?? (await walk.behind(offset));
  if (from && from.in >= partitions.length) throw notOurs();
  while (page.wanted > 0 && place.in < partitions.length) {
    // Begins to read the next partition too, since most pages have room for its objects.
    walk.begin(place.in + 1, page.wanted);
    const { items, next } = await walk.read(place, page.wanted);
    const here = partitions[place.in];
    const objects = here ? await objectsIn(store, kind, here, items) : [];
    for (const [n, item] of items.entries()) {
      const object = objects[n];
      if (object && isIn(object) && !page.add(object)) return place;
      place = { in: place.in, at: cursorAt(item, here?.index) };
    }
    place = next;
  }
  return (await walk.hasMore(place)) ? place : undefined;
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

  /** The place behind so many items from the start, which are counted and not read. */
  async behind(offset: number): Promise<WalkPlace> {
    let left = offset;
    for (const [number, partition] of left > 0 ? this.#partitions.entries() : []) {
      const { count, cursor } = await this.#store.count({ ...partition, limit: left });
      if (cursor !== undefined) return { in: number, at: cursor };
      left -= count;
    }
    return { in: left > 0 ? this.#partitions.length : 0 };
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
