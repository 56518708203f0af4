import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * Locks a data folder, so that one process at a time uses it; returns the function that releases the lock. SQLite uses
 * a lock of the operating system, which ends with its process, whereas a stored process id could be that of another
 * process. Throws when another process has the lock.
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

/** Whether the error is SQLITE_BUSY or SQLITE_LOCKED. */
const isBusy = (error: unknown): boolean =>
  error instanceof Error && "errcode" in error && (error.errcode === 5 || error.errcode === 6);

/** The process id of the lock's owner, which writes it just after it got the lock. */
function pidIn(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "unknown";
  }
}
