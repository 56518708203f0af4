import type { DatabaseSync } from "node:sqlite";
import type { Index } from "../store.ts";

/**
 * The partitions of indexes that are known to be empty. Timers ask for what is due every few seconds, and
 * mostly nothing is: such a question costs no query. Another connection to the same file may write too;
 * the version of the data says when one has.
 */
export class EmptyPartitions {
  readonly #known = new Set<string>();
  readonly #hasEntry;
  readonly #version;
  #seen: unknown;

  /** `database` has the tables. */
  constructor(database: DatabaseSync) {
    this.#hasEntry = database.prepare("SELECT 1 FROM entry WHERE name = ? AND ipk = ? LIMIT 1");
    this.#version = database.prepare("PRAGMA data_version");
  }

  has(index: Index, pk: string): boolean {
    if (this.#known.size === 0) return false;
    const version = this.#version.get()?.data_version;
    if (version !== this.#seen) this.#known.clear();
    this.#seen = version;
    return this.#known.has(nameOf(index, pk));
  }

  /** After a query that found nothing. */
  note(index: Index, pk: string): void {
    if (this.#hasEntry.get(index, pk) === undefined) this.#known.add(nameOf(index, pk));
  }

  /** Before an entry is written. */
  drop(index: Index, pk: string): void {
    this.#known.delete(nameOf(index, pk));
  }
}

const nameOf = (index: Index, pk: string): string => `${index}#${pk}`;
