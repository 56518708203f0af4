import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Stop } from "./laptop.ts";

/** The databases of a site: of its world, of Slipway, and of the state machines. */
const names = ["world", "store", "workflows"] as const;
type Databases<T> = Record<(typeof names)[number], T>;

/** A site that was stopped and put aside. Any number of sites go on from it, each by itself. */
export interface SavedSite {
  /** Its time, in milliseconds since the epoch. */
  at: number;
  secrets: ReadonlyMap<string, string>;
  databases: Databases<Buffer>;
}

const each = <T>(of: (name: keyof Databases<T>) => T): Databases<T> =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Databases<T>;

/** Where the databases of one site are, in a folder that goes at the end. */
export function databaseFiles(atEnd: (stop: Stop) => void): Databases<string> {
  const folder = mkdtempSync(join(tmpdir(), "slipway-site-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return each((name) => join(folder, `${name}.db`));
}

/** What the databases hold once they are closed. */
export const readDatabases = (files: Databases<string>): Databases<Buffer> =>
  each((name) => readFileSync(files[name]));

/** A copy of the saved databases, for one site that goes on from them. */
export function copied({ databases }: SavedSite, atEnd: (stop: Stop) => void): Databases<string> {
  const files = databaseFiles(atEnd);
  for (const name of names) writeFileSync(files[name], databases[name]);
  return files;
}
