import type { DatabaseSync } from "node:sqlite";
import type { Index } from "../store.ts";
import { othersWrite } from "./others.ts";

/**
 * The partitions of indexes that are known to be empty. Timers query every few seconds for due items, and mostly there
 * are none: for a known empty partition this saves the query.
 */
export class EmptyPartitions {
  readonly #known = new Set<string>();
  readonly #hasEntry;
  readonly #isChanged: () => boolean;

  /** `database` has its tables already. */
  constructor(database: DatabaseSync) {
    this.#hasEntry = database.prepare("SELECT 1 FROM entry WHERE name = ? AND ipk = ? LIMIT 1");
    this.#isChanged = othersWrite(database);
  }

  has(index: Index, pk: string): boolean {
    if (this.#known.size === 0) return false;
    if (this.#isChanged()) this.#known.clear();
    return this.#known.has(nameOf(index, pk));
  }

  /** Called after a query that found nothing. */
  note(index: Index, pk: string): void {
    if (this.#hasEntry.get(index, pk) === undefined) this.#known.add(nameOf(index, pk));
  }

  /** Called before an entry is written. */
  drop(index: Index, pk: string): void {
    this.#known.delete(nameOf(index, pk));
  }
}

const nameOf = (index: Index, pk: string): string => `${index}#${pk}`;
