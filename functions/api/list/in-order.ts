import * as z from "zod";
import type { Kind } from "../../../core/kernel/object/object.ts";
import { begun } from "../../../core/kernel/request/begun.ts";
import type { Item, Page, Store } from "../../../core/kernel/store/store.ts";
import type { PageItems } from "./page-items.ts";
import { objectsInSource, type Part, type Source } from "./source.ts";
import { notOurs } from "./token.ts";

/** A position in a walk over parts: the part, and its own cursor. */
export const placeSchema = z.strictObject({ in: z.int().min(0), at: z.string().optional() });
type WalkPlace = z.output<typeof placeSchema>;

/**
 * Fills a page in order of creation, from a position or after an offset; answers the position of the next page.
 * Every page costs the same, except that an offset's objects are counted. Objects that are created or deleted
 * between two pages neither repeat nor hide others.
 */
export async function pageInOrder<K extends Kind>(
  store: Store,
  kind: K,
  { parts, isIn }: Source,
  { offset, from }: { offset: number; from: WalkPlace | undefined },
  page: PageItems<K>,
): Promise<WalkPlace | undefined> {
  // A list may have no parts: the caller may have no projects.
  if (parts.length === 0 && from === undefined) return undefined;
  const walk = new Walk(parts);
  let place = from ?? (await walk.behind(offset));
  if (from && from.in >= parts.length) throw notOurs();
  while (page.wanted > 0 && place.in < parts.length) {
    // The next part is read in parallel, since most pages have room for its objects.
    walk.begin(place.in + 1, page.wanted);
    const { items, next } = await walk.read(place, page.wanted);
    const here = parts[place.in];
    const objects = here ? await objectsInSource(store, kind, here, items) : [];
    for (const [n, item] of items.entries()) {
      const object = objects[n];
      if (object && isIn(object) && !page.add(object)) return place;
      if (here) place = { in: place.in, at: here.behind(item) };
    }
    place = next;
  }
  return (await walk.hasMore(place)) ? place : undefined;
}

/** Reads parts, one after the other. */
class Walk {
  readonly #parts: Part[];
  /** First pages whose reads have begun. */
  readonly #begun = new Map<number, Promise<Page>>();

  constructor(parts: Part[]) {
    this.#parts = parts;
  }

  /** The position after an offset from the start. The skipped items are counted, not read. */
  async behind(offset: number): Promise<WalkPlace> {
    let left = offset;
    for (const [number, part] of left > 0 ? this.#parts.entries() : []) {
      const { count, cursor } = await part.count(left);
      if (cursor !== undefined) return { in: number, at: cursor };
      left -= count;
    }
    return { in: left > 0 ? this.#parts.length : 0 };
  }

  /** Begins to read a part from its start, if the part exists. */
  begin(number: number, limit: number): void {
    const part = this.#parts[number];
    if (!part || this.#begun.has(number)) return;
    this.#begun.set(number, begun(part.read(limit)));
  }

  /** Reads from a position in a part. A read that was begun earlier may have more items than the limit. */
  async read(place: WalkPlace, limit: number): Promise<{ items: Item[]; next: WalkPlace }> {
    const part = this.#parts[place.in];
    if (!part) return { items: [], next: place };
    const { at } = place;
    const page = await ((at === undefined && this.#begun.get(place.in)) || part.read(limit, at));
    const next: WalkPlace =
      page.cursor === undefined ? { in: place.in + 1 } : { in: place.in, at: page.cursor };
    return { items: page.items, next };
  }

  /** Whether there are more objects. A cursor alone only says that there may be. */
  async hasMore(place: WalkPlace): Promise<boolean> {
    let at = place;
    while (at.in < this.#parts.length) {
      const { items, next } = await this.read(at, 1);
      if (items.length > 0) return true;
      at = next;
    }
    return false;
  }
}
