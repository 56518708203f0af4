import type { StatementSync } from "node:sqlite";
import type { Change } from "../change.ts";
import type { Key, StreamRecord } from "../store.ts";

export type IsWanted = (key: Key) => boolean;

/** The stream of a store in SQLite: a record of each change, in the order of the changes. */
export class Stream {
  readonly #statement: (sql: string) => StatementSync;
  readonly #repeat: number;
  readonly #listeners = new Set<() => void>();
  #telling = false;

  /** `repeat`: each batch repeats this many earlier records at its start. */
  constructor(statement: (sql: string) => StatementSync, repeat: number) {
    this.#statement = statement;
    this.#repeat = repeat;
  }

  /** Appends the record of a change, in the transaction that makes the change. */
  append({ key: { pk, sk }, before, after }: Change): void {
    const sql = "INSERT INTO stream (pk, sk, before, after) VALUES (?, ?, ?, ?)";
    this.#statement(sql).run(pk, sk, before?.value ?? null, after?.value ?? null);
    this.#tell();
  }

  /**
   * At most `limit` new records, from the one after the sequence `after`; from the first if undefined.
   * Those whose key is not wanted come without their images.
   */
  read(after: string | undefined, limit: number, isWanted: IsWanted = () => true): StreamRecord[] {
    const sql = "SELECT * FROM stream WHERE sequence > ? ORDER BY sequence LIMIT ?";
    const fresh = this.#statement(sql).all(Number(after ?? 0), limit);
    const again = fresh.length > 0 && after !== undefined ? this.#until(after) : [];
    return [...again, ...fresh].map((row) => {
      const key = { pk: String(row.pk), sk: String(row.sk) };
      const sequence = String(row.sequence);
      if (!isWanted(key)) return { sequence, key };
      return {
        sequence,
        key,
        ...(row.before === null ? {} : { before: JSON.parse(String(row.before)) }),
        ...(row.after === null ? {} : { after: JSON.parse(String(row.after)) }),
      };
    });
  }

  /** Whether there is a record after this sequence. */
  hasNews(after: string | undefined): boolean {
    const sql = "SELECT 1 FROM stream WHERE sequence > ? LIMIT 1";
    return this.#statement(sql).get(Number(after ?? 0)) !== undefined;
  }

  /** Drops the records before this sequence, not itself. */
  trim(before: string): void {
    this.#statement("DELETE FROM stream WHERE sequence < ?").run(Number(before));
  }

  /**
   * Calls `listener` soon after new records are in the stream, once for many. Returns a function that
   * ends this.
   */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls no listener any more. */
  close(): void {
    this.#listeners.clear();
  }

  #until(sequence: string): ReturnType<StatementSync["all"]> {
    const sql = "SELECT * FROM stream WHERE sequence <= ? ORDER BY sequence DESC LIMIT ?";
    return this.#statement(sql).all(Number(sequence), this.#repeat).reverse();
  }

  /** Calls the listeners in a microtask, which runs only after the transaction has ended. */
  #tell(): void {
    if (this.#telling || this.#listeners.size === 0) return;
    this.#telling = true;
    queueMicrotask(() => {
      this.#telling = false;
      for (const listener of this.#listeners) listener();
    });
  }
}
