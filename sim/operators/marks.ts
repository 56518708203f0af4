import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../core/clock.ts";

/**
 * When things began for objects, in milliseconds of the clock. Operators compute their next changes from these times,
 * so that a world continues after a restart.
 */
export class Marks {
  readonly #clock: Clock;
  readonly #insert;
  readonly #select;
  readonly #clear;
  readonly #forget;

  constructor(database: DatabaseSync, clock: Clock) {
    database.exec(`CREATE TABLE IF NOT EXISTS marks (
      uid TEXT, name TEXT, at REAL NOT NULL, PRIMARY KEY (uid, name)
    ) STRICT, WITHOUT ROWID`);
    this.#clock = clock;
    this.#insert = database.prepare("INSERT OR IGNORE INTO marks VALUES (?, ?, ?)");
    this.#select = database.prepare("SELECT at FROM marks WHERE uid = ? AND name = ?");
    this.#clear = database.prepare("DELETE FROM marks WHERE uid = ? AND name = ?");
    this.#forget = database.prepare("DELETE FROM marks WHERE uid = ?");
  }

  get(uid: string, name: string): number | undefined {
    const at = this.#select.get(uid, name)?.at;
    return at === undefined ? undefined : Number(at);
  }

  /** When `name` began: now, unless it began before. */
  begin(uid: string, name: string): number {
    const now = this.#clock.now();
    this.#insert.run(uid, name, now);
    return this.get(uid, name) ?? now;
  }

  clear(uid: string, name: string): void {
    this.#clear.run(uid, name);
  }

  /** Removes all marks of a removed object. */
  forget(uid: string): void {
    this.#forget.run(uid);
  }
}
