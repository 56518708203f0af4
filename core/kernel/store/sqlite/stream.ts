import type { StatementSync } from "node:sqlite";
import type { StoreChange } from "../change.ts";
import type { Key, StreamRecord } from "../store.ts";
import type { Prepared } from "./tables.ts";

export type IsWanted = (key: Key) => boolean;

/** The number of last records that are cached, so that their reader need not parse them. */
const kept = 1000;

/** The stream of a store in SQLite: a record of each change, in the order of the changes. */
export class Stream {
  readonly #statement: Prepared;
  readonly #repeat: number;
  readonly #listeners = new Set<() => void>();
  /** The last records that this process has written, by their sequence. */
  readonly #written = new Map<number, StreamRecord>();
  #telling = false;

  /** `repeat`: each batch repeats this many earlier records at its start. */
  constructor(statement: Prepared, repeat: number) {
    this.#statement = statement;
    this.#repeat = repeat;
  }

  /** Appends the record of a change, in the transaction that makes the change. Answers its sequence. */
  append({ key: { pk, sk }, before, after }: StoreChange): number {
    const sql = "INSERT INTO stream (pk, sk, before, after) VALUES (?, ?, ?, ?)";
    const written = this.#statement(sql).run(pk, sk, before?.value ?? null, after?.value ?? null);
    this.#tell();
    return Number(written.lastInsertRowid);
  }

  /** Caches the record of a change whose transaction is committed. Its items are frozen. */
  keep(sequence: number, { key, before, after }: StoreChange): void {
    this.#written.set(sequence, {
      sequence: String(sequence),
      key,
      ...(before && { before: before.item }),
      ...(after && { after: after.item }),
    });
    for (const oldest of this.#written.keys()) {
      if (this.#written.size <= kept) return;
      this.#written.delete(oldest);
    }
  }

  /**
   * At most `limit` new records, from the one after the sequence `after`; from the first if undefined. For keys that
   * `isWanted` refuses, records have no images.
   */
  read(after: string | undefined, limit: number, isWanted: IsWanted = () => true): StreamRecord[] {
    const sql = "SELECT sequence, pk, sk FROM stream WHERE sequence > ? ORDER BY sequence LIMIT ?";
    const fresh = this.#statement(sql).all(Number(after ?? 0), limit);
    const again = fresh.length > 0 && after !== undefined ? this.#until(after) : [];
    return [...again, ...fresh].map((row) => {
      const key = { pk: String(row.pk), sk: String(row.sk) };
      const sequence = Number(row.sequence);
      if (!isWanted(key)) return { sequence: String(sequence), key };
      return this.#written.get(sequence) ?? this.#whole(sequence, key);
    });
  }

  #whole(sequence: number, key: Key): StreamRecord {
    const sql = "SELECT before, after FROM stream WHERE sequence = ?";
    const { before = null, after = null } = this.#statement(sql).get(sequence) ?? {};
    return {
      sequence: String(sequence),
      key,
      ...(before === null ? {} : { before: JSON.parse(String(before)) }),
      ...(after === null ? {} : { after: JSON.parse(String(after)) }),
    };
  }

  /** Whether there is a record after this sequence. */
  hasNews(after: string | undefined): boolean {
    const sql = "SELECT 1 FROM stream WHERE sequence > ? LIMIT 1";
    return this.#statement(sql).get(Number(after ?? 0)) !== undefined;
  }

  /** Drops the records before this sequence; the record of the sequence itself stays. */
  trim(before: string): void {
    this.#statement("DELETE FROM stream WHERE sequence < ?").run(Number(before));
    for (const sequence of this.#written.keys()) {
      if (sequence >= Number(before)) return;
      this.#written.delete(sequence);
    }
  }

  /**
   * Calls `listener` soon after new records are in the stream, once for many. Returns a function that ends the
   * subscription.
   */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stops all calls of listeners. */
  close(): void {
    this.#listeners.clear();
  }

  #until(sequence: string): ReturnType<StatementSync["all"]> {
    if (this.#repeat === 0) return [];
    const sql =
      "SELECT sequence, pk, sk FROM stream WHERE sequence <= ? ORDER BY sequence DESC LIMIT ?";
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
