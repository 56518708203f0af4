import { DatabaseSync } from "node:sqlite";

let snapshots = 0;

/** A copy of the database as `kill -9` would leave it now: what is committed, and nothing else. */
export function crashed(file: string): string {
  snapshots += 1;
  const copy = `${file}.${snapshots}`;
  const reader = new DatabaseSync(file, { readOnly: true });
  reader.exec(`VACUUM INTO '${copy}'`);
  reader.close();
  return copy;
}
