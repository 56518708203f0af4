import { frozen } from "../../../frozen.ts";
import type { Stored } from "../change.ts";
import type { Key } from "../store.ts";

/** How much JSON is kept, in bytes. */
const most = 8 * 2 ** 20;

/**
 * Items as they are stored, those that were used last: they are read far more often than they are written,
 * and to parse one takes longer than to find it. All who read an item share it, so nobody can change it.
 */
export class KnownItems {
  readonly #isChanged: () => boolean;
  /** In the order of their last use. */
  readonly #items = new Map<string, Stored>();
  #size = 0;

  /** `isChanged` answers whether somebody else has written since it was asked last. */
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

  /** After an item was read, or its write was committed; undefined for one that was deleted. */
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

/** A key as one string: cheaper than JSON, for it is made with each read. */
const idOf = ({ pk, sk }: Key): string => `${pk.length} ${pk}${sk}`;
