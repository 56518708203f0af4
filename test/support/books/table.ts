import { isObject } from "../../../core/kernel/input/shape.ts";
import { indexKeys } from "../../../core/kernel/object/keys.ts";
import type { Kinds } from "../../../core/kernel/object/kind.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import { objectIn } from "../../../core/kernel/object/records.ts";
import type { SqliteStore } from "../../../core/kernel/store/sqlite/sqlite.ts";
import type { Item, Key } from "../../../core/kernel/store/store.ts";

/** The first word of a partition, which says what its items are: `name` of `name#cluster#tenant-a#web`. */
const wordOf = ({ pk }: Key): string => pk.split("#", 1)[0] ?? "";

/** The other words. */
export const placeOf = ({ pk }: Key): string => pk.slice(pk.indexOf("#") + 1);

/** A key as people read it. */
export const shown = ({ pk, sk }: Key): string => (sk === "-" ? pk : `${pk} ${sk}`);

/**
 * All that a store holds at one moment. It is read in one scan, since the books are closed thousands of
 * times.
 */
export class Table {
  readonly #kinds: Kinds;
  readonly #words = new Map<string, Item[]>();
  readonly #items = new Map<string, Item>();
  /** By kind: most parts of the books ask for the objects of all kinds. */
  readonly #objects = new Map<Kind, unknown>();

  constructor(store: Pick<SqliteStore, "items">, kinds: Kinds) {
    this.#kinds = kinds;
    for (const item of store.items()) {
      const word = wordOf(item);
      const known = this.#words.get(word);
      if (known) known.push(item);
      else this.#words.set(word, [item]);
      this.#items.set(shown(item), item);
    }
  }

  /** The first words of all partitions. */
  words(): string[] {
    return [...this.#words.keys()];
  }

  /** The items of the partitions that begin with this word, in the order of their keys. */
  items(word: string): readonly Item[] {
    return this.#words.get(word) ?? [];
  }

  item(key: Key): Item | undefined {
    return this.#items.get(shown(key));
  }

  objects<K extends Kind>(kind: K): ObjectOf[K][] {
    const known = this.#objects.get(kind);
    // What is known of a kind is what was read for it.
    if (known !== undefined) return known as ObjectOf[K][];
    const objects = this.items(kind).map((item) => objectIn<K>(this.#kinds, item));
    this.#objects.set(kind, objects);
    return objects;
  }

  /** The deleted objects of a kind that are still kept. */
  archived<K extends Kind>(kind: K): ObjectOf[K][] {
    return this.items("archive")
      .filter(({ pk }) => pk.startsWith(`archive#${kind}#`))
      .map((item) => objectIn<K>(this.#kinds, item));
  }

  /** The deleted objects of a kind whose ids were used again. */
  former<K extends Kind>(kind: K): ObjectOf[K][] {
    return this.items("former")
      .filter(({ pk }) => pk.startsWith(`former#${kind}#`))
      .flatMap(({ pk, sk, archived }) =>
        isObject(archived) ? [objectIn<K>(this.#kinds, { ...archived, pk, sk })] : [],
      );
  }

  /** Whether there is such an object. */
  has(kind: Kind, id: string): boolean {
    return this.#items.has(`${kind}#${id}`);
  }

  /** The index entries that an object ought to have. */
  entriesOf(object: ObjectOf[Kind]): Readonly<Record<string, string>> {
    return indexKeys(this.#kinds, object);
  }
}
