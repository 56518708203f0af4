import { frozen } from "../../../frozen.ts";
import type { Stored } from "../change.ts";
import type { Key } from "../store.ts";

/** The most bytes of JSON in this cache. */
const most = 8 * 2 ** 20;

/**
 * A cache of the items that were used last: items are read far more often than they are written, and parsing one takes
 * longer than finding it. All readers share an item, so it is frozen.
 */
export class KnownItems {
  readonly #isChanged: () => boolean;
  /** In the order of their last use. */
  readonly #items = new Map<string, Stored>();
  #size = 0;

  /** `isChanged` answers whether another connection has written since the last call. */
  constructor(isChanged: () => boolean) {
    this.#isChanged = isChanged;
  }

  get(key: Key): Stored | undefined {
    if (this.#isChanged()) this.#forget();
    const id = idOf(key);
    const known = this.#items.get(id);
    if (!known) return undefined;
    this.#items.delete(id);
    this.#items.set(id, known);
    return known;
  }

  /** Called after an item was read, or its write was committed; undefined for a deleted item. */
  set(key: Key, stored: Stored | undefined): void {
    const id = idOf(key);
    this.#drop(id);
    if (!stored) return;
    frozen(stored.item);
    this.#items.set(id, stored);
    this.#size += stored.size;
    for (const oldest of this.#items.keys()) {
      if (this.#size <= most) return;
      this.#drop(oldest);
    }
  }

  #drop(id: string): void {
    this.#size -= this.#items.get(id)?.size ?? 0;
    this.#items.delete(id);
  }

  #forget(): void {
    this.#items.clear();
    this.#size = 0;
  }
}

/** A key as one string: cheaper than JSON, since each read needs it. */
const idOf = ({ pk, sk }: Key): string => `${pk.length} ${pk}${sk}`;
