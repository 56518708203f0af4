import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Clock } from "../../core/clock.ts";

/** A zone; its names have a dot at the end. */
export interface Zone {
  id: string;
  name: string;
  serial: number;
}

/** All records of one name and type. */
export interface RRset {
  /** The name in lower case, with a dot at the end. */
  name: string;
  type: string;
  ttl: number;
  records: { content: string; disabled: boolean }[];
  comments: { content: string; account: string; modified_at: number }[];
}

interface ZonesOptions {
  database: DatabaseSync;
  clock: Clock;
  /** The name of the DNS service, which separates its zones from others'. */
  system: string;
  /** The time until the servers serve a change, in simulated milliseconds. */
  propagation: number;
  /** Called with every change of a zone, even one that may be rolled back. */
  onChange?: () => void;
}

/** Zones as a DNS service stores them, and as its servers serve them after propagation. Durable. */
export class Zones {
  readonly #options: ZonesOptions;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** The cached answers of the servers, valid until the next change when all changes have propagated. */
  readonly #known = new Map<string, string[]>();
  #settledAt = 0;

  constructor(options: ZonesOptions) {
    this.#options = options;
    this.#database = options.database;
    this.#database.exec(`
      CREATE TABLE IF NOT EXISTS dns_zones (
        system TEXT, id TEXT, name TEXT NOT NULL, serial INTEGER NOT NULL, PRIMARY KEY (system, id)
      ) STRICT;
      CREATE TABLE IF NOT EXISTS dns_rrsets (
        number INTEGER PRIMARY KEY, system TEXT NOT NULL, zone TEXT NOT NULL, name TEXT NOT NULL,
        type TEXT NOT NULL, body TEXT NOT NULL, written_at REAL NOT NULL, removed_at REAL
      ) STRICT;
      CREATE INDEX IF NOT EXISTS dns_rrsets_by_name ON dns_rrsets (system, zone, name, type);
      CREATE INDEX IF NOT EXISTS dns_rrsets_removed ON dns_rrsets (system, removed_at)
    `);
    // Changes may have been written just before the database was opened.
    this.#forget();
  }

  list(): Zone[] {
    return this.#statement("SELECT id, name, serial FROM dns_zones WHERE system = ? ORDER BY rowid")
      .all(this.#options.system)
      .map(({ id, name, serial }) => ({
        id: String(id),
        name: String(name),
        serial: Number(serial),
      }));
  }

  get(id: string): Zone | undefined {
    return this.list().find((zone) => zone.id === id);
  }

  add(zone: Zone): void {
    this.#forget();
    this.#statement("INSERT INTO dns_zones VALUES (?, ?, ?, ?)").run(
      this.#options.system,
      zone.id,
      zone.name,
      zone.serial,
    );
  }

  setSerial(zone: Zone, serial: number): void {
    this.#statement("UPDATE dns_zones SET serial = ? WHERE system = ? AND id = ?").run(
      serial,
      this.#options.system,
      zone.id,
    );
  }

  /** The records of a zone, as the service stores them now. */
  sets(zone: Zone): RRset[] {
    return this.#bodies("zone = ? AND removed_at IS NULL", zone.id);
  }

  setsAt(zone: Zone, name: string): RRset[] {
    return this.#bodies("zone = ? AND name = ? AND removed_at IS NULL", zone.id, name);
  }

  put(zone: Zone, set: RRset): void {
    this.remove(zone, set.name, set.type);
    this.#statement(
      "INSERT INTO dns_rrsets (system, zone, name, type, body, written_at) VALUES (?, ?, ?, ?, ?, ?)",
    ).run(this.#options.system, zone.id, set.name, set.type, JSON.stringify(set), this.#now);
  }

  remove(zone: Zone, name: string, type: string): void {
    const { system, propagation } = this.#options;
    this.#forget();
    this.#options.onChange?.();
    this.#statement(`UPDATE dns_rrsets SET removed_at = ?
        WHERE system = ? AND zone = ? AND name = ? AND type = ? AND removed_at IS NULL`).run(
      this.#now,
      system,
      zone.id,
      name,
      type,
    );
    this.#statement("DELETE FROM dns_rrsets WHERE system = ? AND removed_at <= ?").run(
      system,
      this.#now - propagation,
    );
  }

  /** Runs `change` and stores all of its writes, or none. */
  atomically<T>(change: () => T): T {
    this.#database.exec("SAVEPOINT dns");
    try {
      const result = change();
      this.#database.exec("RELEASE dns");
      return result;
    } catch (error) {
      this.#database.exec("ROLLBACK TO dns; RELEASE dns");
      throw error;
    }
  }

  /**
   * The contents of a name's records as the servers serve them now; none when there are no records. The name has no dot
   * at the end. A wildcard answers for names that do not exist (RFC 4592).
   */
  resolve(asked: string, type: string): string[] {
    if (this.#now < this.#settledAt) return this.#resolved(asked, type);
    const question = `${type} ${asked}`;
    const answer = this.#known.get(question) ?? this.#resolved(asked, type);
    this.#known.set(question, answer);
    return answer;
  }

  #resolved(asked: string, type: string): string[] {
    const name = `${asked.toLowerCase().replace(/\.$/, "")}.`;
    const zone = this.list()
      .filter((one) => `.${name}`.endsWith(`.${one.name}`))
      .sort((a, b) => b.name.length - a.name.length)[0];
    if (!zone) return [];
    for (let owner = name; ; ) {
      const sets = this.#answered(zone, owner === name ? owner : `*.${owner}`);
      if (sets.length > 0) {
        const found = sets.find((set) => set.type === type)?.records ?? [];
        return found.filter(({ disabled }) => !disabled).map(({ content }) => content);
      }
      // An existing name hides wildcards above it, even if only a name below it has records.
      if (owner === zone.name || this.#exists(zone, owner)) return [];
      owner = owner.slice(owner.indexOf(".") + 1);
    }
  }

  /** Called with each change. */
  #forget(): void {
    this.#known.clear();
    this.#settledAt = this.#now + this.#options.propagation;
  }

  #answered(zone: Zone, name: string): RRset[] {
    return this.#bodies(`zone = ? AND name = ? AND ${answered}`, zone.id, name, ...this.#times);
  }

  #exists(zone: Zone, name: string): boolean {
    const where = `zone = ? AND substr('.' || name, ?) = ? AND ${answered}`;
    const ending = `.${name}`;
    return this.#bodies(where, zone.id, -ending.length, ending, ...this.#times).length > 0;
  }

  #bodies(where: string, ...values: (string | number)[]): RRset[] {
    return this.#statement(
      `SELECT body FROM dns_rrsets WHERE system = ? AND ${where} ORDER BY number`,
    )
      .all(this.#options.system, ...values)
      .map(({ body }) => JSON.parse(String(body)) as RRset);
  }

  /** Prepares each SQL text once. */
  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  /** The query's two times, earlier by the propagation. */
  get #times(): [number, number] {
    const then = this.#now - this.#options.propagation;
    return [then, then];
  }

  get #now(): number {
    return this.#options.clock.now();
  }
}

const answered = "written_at <= ? AND (removed_at IS NULL OR removed_at > ?)";
