import type { DatabaseSync } from "node:sqlite";

/**
 * Answers whether another connection has written to the database since the last call, by the version of its data. Only
 * a database in a file can have other connections.
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
