import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type * as z from "zod";

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA busy_timeout = 5000;

  -- Definitions by hash: a running execution keeps the one it was started with.
  CREATE TABLE IF NOT EXISTS definitions (hash TEXT PRIMARY KEY, text TEXT NOT NULL);

  CREATE TABLE IF NOT EXISTS machines (
    id INTEGER PRIMARY KEY, arn TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
    definition TEXT NOT NULL, created INTEGER NOT NULL);

  CREATE TABLE IF NOT EXISTS executions (
    id INTEGER PRIMARY KEY, arn TEXT NOT NULL UNIQUE, machine TEXT NOT NULL, name TEXT NOT NULL,
    definition TEXT NOT NULL, input TEXT NOT NULL, status TEXT NOT NULL, started INTEGER NOT NULL,
    stopped INTEGER, output TEXT, error TEXT, cause TEXT);
  CREATE INDEX IF NOT EXISTS executions_by_machine ON executions (machine, id);
  CREATE INDEX IF NOT EXISTS executions_by_status ON executions (status, machine, id);
  CREATE INDEX IF NOT EXISTS executions_by_end ON executions (stopped) WHERE stopped IS NOT NULL;

  CREATE TABLE IF NOT EXISTS events (
    execution TEXT NOT NULL, id INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (execution, id)) WITHOUT ROWID;

  -- What a running execution has done and decided; it goes when the execution ends.
  CREATE TABLE IF NOT EXISTS journal (
    execution TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, event INTEGER NOT NULL,
    PRIMARY KEY (execution, key)) WITHOUT ROWID;

  -- Times are milliseconds since the epoch; answer is JSON, present once somebody answered.
  CREATE TABLE IF NOT EXISTS tokens (
    token TEXT PRIMARY KEY, execution TEXT NOT NULL, open INTEGER NOT NULL,
    deadline INTEGER, heartbeat INTEGER, beat_by INTEGER, answer TEXT);
  CREATE INDEX IF NOT EXISTS tokens_by_execution ON tokens (execution, open);
`;

/** The engine's SQLite database: prepared statements by their text, rows parsed, transactions. */
export class Database {
  readonly #sqlite: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #depth = 0;

  /** `at` is a file, `:memory:`, or an open database; `close` closes it in any case. */
  constructor(at: string | DatabaseSync) {
    this.#sqlite = typeof at === "string" ? new DatabaseSync(at) : at;
    this.#sqlite.exec(schema);
  }

  run(sql: string, ...values: SQLInputValue[]): void {
    this.#prepare(sql).run(...values);
  }

  get<T>(row: z.ZodType<T>, sql: string, ...values: SQLInputValue[]): T | undefined {
    const found = this.#prepare(sql).get(...values);
    return found === undefined ? undefined : row.parse(found);
  }

  all<T>(row: z.ZodType<T>, sql: string, ...values: SQLInputValue[]): T[] {
    return this.#prepare(sql)
      .all(...values)
      .map((found) => row.parse(found));
  }

  /** Runs `work` in a transaction, and rolls back when `work` throws. Inside another transaction it joins that one. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work();
    this.run("BEGIN IMMEDIATE");
    this.#depth += 1;
    try {
      const result = work();
      this.run("COMMIT");
      return result;
    } catch (error) {
      // Some errors, such as a full disk, have already ended the transaction.
      if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK");
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }

  close(): void {
    if (this.#sqlite.isOpen) this.#sqlite.close();
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#sqlite.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
