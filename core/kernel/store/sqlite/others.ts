import type { DatabaseSync } from "node:sqlite";

/**
 * Answers whether another connection has written to the database since it was asked last: the version of
 * the data says so. Only one to the same file can.
 */
export function othersWrite(database: DatabaseSync): () => boolean {
  if (database.location() === null) return () => false;
  const version = database.prepare("PRAGMA data_version");
  let seen: unknown;
  return () => {
    const now = version.get()?.data_version;
    const isChanged = now !== seen;
    seen = now;
    return isChanged;
  };
}
