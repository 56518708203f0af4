import type { Kinds } from "../../../core/kernel/object/kind.ts";
import type { Table } from "./table.ts";

/** What the kernel's part of the books is closed on. */
export interface Books {
  table: Table;
  kinds: Kinds;
  /** The time of the deployment and the time of its workers, in milliseconds. */
  now: number;
  wall: number;
}

/** One part of the books. */
export interface Check<B extends Books = Books> {
  /** The items that this part accounts for, by the first word of their partitions. */
  of: readonly string[];
  /** What is lost, left behind or counted wrongly. */
  wrong(books: B): string[];
}

/**
 * What is wrong by these checks. Items of which no check knows are wrong too, so that whatever is new
 * in the table gets its part of the books.
 */
export function wrongBy<B extends Books>(checks: readonly Check<B>[], books: B): string[] {
  const known = new Set([...Object.keys(books.kinds), ...checks.flatMap(({ of }) => of)]);
  const unknown = books.table.words().filter((word) => !known.has(word));
  return [
    ...checks.flatMap((check) => check.wrong(books)),
    ...unknown.map((word) => `the books know nothing of items of ${word}#`),
  ];
}
