import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type FaultInput, Faults } from "../../sim/faults.ts";
import type { Stop } from "./laptop.ts";

/** The databases of a site: of its world, of Slipway, and of the state machines. */
const names = ["world", "store", "workflows"] as const;
type Databases<T> = Record<(typeof names)[number], T>;

/** A site that was stopped and put aside. Any number of sites go on from it, each by itself. */
export interface SavedSite {
  /** Its time, in milliseconds since the epoch. */
  at: number;
  secrets: ReadonlyMap<string, string>;
  databases: Databases<Uint8Array>;
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
export const readDatabases = (files: Databases<string>): Databases<Uint8Array> =>
  each((name) => {
    const database = new DatabaseSync(files[name]);
    // A database in memory has no write-ahead log.
    database.exec("PRAGMA journal_mode = DELETE");
    const bytes = database.serialize();
    database.close();
    return bytes;
  });

/** What open databases hold now. */
export const heldNow = (open: Databases<DatabaseSync>): Databases<Uint8Array> =>
  each((name) => open[name].serialize());

/** A copy of the saved databases in memory, for one site that goes on from them. */
export const copied = ({ databases }: SavedSite): Databases<DatabaseSync> =>
  each((name) => {
    const database = new DatabaseSync(":memory:");
    database.deserialize(databases[name]);
    return database;
  });

/** The same site, in a world in which these faults will happen. */
export function withFaultsAhead(saved: SavedSite, inputs: readonly FaultInput[]): SavedSite {
  const { world } = copied(saved);
  const faults = new Faults(world);
  for (const input of inputs) faults.add(input);
  return { ...saved, databases: { ...saved.databases, world: world.serialize() } };
}
