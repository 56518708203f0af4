import { DatabaseSync } from "node:sqlite";

/** Opens the world's database; `:memory:` for a temporary world. */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  // In WAL mode commits survive the end of the process, but not of the machine; the world promises no more.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
  return database;
}
