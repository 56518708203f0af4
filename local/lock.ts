import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * One process at a time works on a data folder. SQLite takes a lock of the operating system, which is
 * free as soon as its holder ends, in whatever way; unlike a stored process id, it cannot be mistaken
 * for another process's. Answers a function that releases the lock. Throws when another process holds
 * it.
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

/** The holder's process id, which it writes just after it has the lock. */
function pidIn(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "unknown";
  }
}
