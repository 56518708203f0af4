import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * One process at a time works on a data folder. The lock is one of the operating system, which
 * SQLite takes: however the holder ends, it is free at once, and no number of a process can be
 * mistaken for another's. Answers how to give it back. Throws when another process holds it.
 */
export function lock(folder: string): () => void {
  const database = new DatabaseSync(join(folder, "lock.db"));
  const holder = join(folder, "pid");
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new Error(`${folder}: another Slipway works on this folder, process ${pidIn(holder)}`);
  }
  writeFileSync(holder, `${process.pid}\n`);
  return () => {
    rmSync(holder, { force: true });
    database.close();
  };
}

/** SQLITE_BUSY, SQLITE_LOCKED. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && (error.errcode === 5 || error.errcode === 6);

/** The holder writes it just after it has the lock. */
function pidIn(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "unknown";
  }
}
