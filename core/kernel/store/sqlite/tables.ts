import { DatabaseSync, type StatementSync } from "node:sqlite";

/**
 * `item` has the items as JSON. `entry` has one row for each index that an item is in. `stream` is appended to in the
 * transaction that makes the change; AUTOINCREMENT never reuses a trimmed sequence number. SQLite compares TEXT by its
 * UTF-8 bytes, as DynamoDB does.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS item (
    pk TEXT NOT NULL, sk TEXT NOT NULL, value TEXT NOT NULL, size INTEGER NOT NULL, expires NUMERIC,
    PRIMARY KEY (pk, sk));
  CREATE INDEX IF NOT EXISTS item_expires ON item (expires) WHERE expires IS NOT NULL;
  CREATE TABLE IF NOT EXISTS entry (
    name TEXT NOT NULL, ipk TEXT NOT NULL, isk TEXT NOT NULL, pk TEXT NOT NULL, sk TEXT NOT NULL,
    PRIMARY KEY (name, ipk, isk, pk, sk)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS stream (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, pk TEXT NOT NULL, sk TEXT NOT NULL,
    before TEXT, after TEXT);
  CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;

/** How long a write waits for another process that writes to the same file. */
const busyTimeoutMs = 1000;

/**
 * Opens the database, creating its tables. In WAL mode with synchronous=NORMAL a commit is in the operating system's
 * cache when it is acknowledged: it survives any end of the process. A power cut may lose the last commits, but never
 * the file's consistency; FULL would keep them at half the speed, and local mode does not promise that.
 */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
  database.exec(schema);
  return database;
}

export type Prepared = (sql: string) => StatementSync;

/** Prepares each SQL text only once. */
export function statements(database: DatabaseSync): Prepared {
  const prepared = new Map<string, StatementSync>();
  return (sql) => {
    let statement = prepared.get(sql);
    if (!statement) {
      statement = database.prepare(sql);
      prepared.set(sql, statement);
    }
    return statement;
  };
}
