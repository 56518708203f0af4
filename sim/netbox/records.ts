import type { DatabaseSync } from "node:sqlite";
import { type Clock, timestamp } from "../../core/clock.ts";
import type { Fields, NetboxType, RowOf } from "./types.ts";

/** The database of a simulated NetBox: records by type, and their change log. Durable. */
export class NetboxRecords {
  readonly #clock: Clock;
  readonly #select;
  readonly #insert;
  readonly #put;
  readonly #delete;
  readonly #next;
  readonly #rows = new Map<NetboxType, unknown>();

  constructor(database: DatabaseSync, clock: Clock) {
    database.exec(`
      CREATE TABLE IF NOT EXISTS netbox_ids (type TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS netbox_rows (
        type TEXT NOT NULL, id INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (type, id)
      ) STRICT, WITHOUT ROWID`);
    this.#clock = clock;
    this.#select = database.prepare("SELECT body FROM netbox_rows WHERE type = ? ORDER BY id");
    this.#insert = database.prepare("INSERT INTO netbox_rows VALUES (?, ?, ?)");
    this.#put = database.prepare("UPDATE netbox_rows SET body = ? WHERE type = ? AND id = ?");
    this.#delete = database.prepare("DELETE FROM netbox_rows WHERE type = ? AND id = ?");
    this.#next = database.prepare(
      "INSERT INTO netbox_ids VALUES (?, 1) ON CONFLICT (type) DO UPDATE SET last = last + 1 RETURNING last",
    );
  }

  list<T extends NetboxType>(type: T): RowOf<T>[] {
    return [...this.#of(type).values()];
  }

  get<T extends NetboxType>(type: T, id: number): RowOf<T> | undefined {
    return this.#of(type).get(id);
  }

  /** A record that must exist; its absence is a defect of the simulated world. */
  known<T extends NetboxType>(type: T, id: number): RowOf<T> {
    const row = this.get(type, id);
    if (!row) throw new Error(`there is no ${type} ${id}`);
    return row;
  }

  add<T extends NetboxType>(type: T, fields: Fields[T]): RowOf<T> {
    const now = this.#now();
    const id = Number(this.#next.get(type)?.last);
    const row = { ...fields, id, created: now, last_updated: now } as RowOf<T>;
    this.#insert.run(type, id, JSON.stringify(row));
    this.#of(type).set(id, row);
    this.#note(type, "create", undefined, row);
    return row;
  }

  change<T extends NetboxType>(type: T, id: number, fields: Partial<Fields[T]>): RowOf<T> {
    const before = this.known(type, id);
    const row = { ...before, ...fields, last_updated: this.#now() };
    this.#put.run(JSON.stringify(row), type, id);
    this.#of(type).set(id, row);
    this.#note(type, "update", before, row);
    return row;
  }

  remove(type: NetboxType, id: number): void {
    const before = this.known(type, id);
    this.#delete.run(type, id);
    this.#of(type).delete(id);
    this.#note(type, "delete", before, undefined);
  }

  #of<T extends NetboxType>(type: T): Map<number, RowOf<T>> {
    // A type's map contains rows of that type only.
    const known = this.#rows.get(type) as Map<number, RowOf<T>> | undefined;
    if (known) return known;
    const stored = this.#select.all(type).map(({ body }) => JSON.parse(String(body)));
    const rows = new Map(stored.map((row: RowOf<T>) => [row.id, row]));
    this.#rows.set(type, rows);
    return rows;
  }

  #note<T extends NetboxType>(
    type: T,
    action: Fields["core.objectchange"]["action"],
    before: RowOf<T> | undefined,
    after: RowOf<T> | undefined,
  ): void {
    if (type === "core.objectchange") return;
    this.add("core.objectchange", {
      time: this.#now(),
      action,
      changed_object_type: type,
      changed_object_id: (after ?? before)?.id ?? 0,
      prechange_data: before ?? null,
      postchange_data: after ?? null,
    });
  }

  /** A time in Django's form: microseconds, UTC. */
  #now(): string {
    return timestamp(this.#clock.now()).replace("Z", "000Z");
  }
}
