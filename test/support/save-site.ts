import { openSqliteStore } from "../../core/kernel/store/sqlite/sqlite.ts";
import { openDatabase } from "../../sim/database.ts";
import type { Stop } from "./laptop.ts";
import { databaseFiles, readDatabases, type SavedSite } from "./saved-site.ts";
import { openSite, type Site, type SiteOptions } from "./site.ts";

/** Brings a site to where tests are to start, and answers what they need to know of it. */
type Bring<T> = (site: Site) => Promise<T>;
interface Made<T> {
  saved: SavedSite;
  brought: T;
}

/** What is made by each, once a process. */
const made = new Map<Bring<unknown>, Promise<Made<unknown>>>();

/** Opens a site that goes on from where `bring` brings one, by itself and for each test anew. */
export async function siteAfter<T>(
  bring: Bring<T>,
  options: SiteOptions = {},
): Promise<{ site: Site; brought: T }> {
  const making = made.get(bring) ?? saveSite(bring);
  made.set(bring, making);
  // Under `bring` stands what it brought.
  const { saved, brought } = (await making) as Made<T>;
  return { site: await openSite({ ...options, from: saved }), brought };
}

/** Opens a site, has it brought to where others are to start, and puts it aside. */
async function saveSite<T>(bring: Bring<T>): Promise<Made<T>> {
  const stops: Stop[] = [];
  const atEnd = (stop: Stop) => void stops.unshift(stop);
  const files = databaseFiles(atEnd);
  try {
    const secrets = new Map<string, string>();
    const store = openSqliteStore(files.store);
    atEnd(() => store.close());
    const world = { database: openDatabase(files.world) };
    const site = await openSite({ world, store, workflows: files.workflows, secrets, atEnd });
    const brought = await bring(site);
    // A database is whole in its file when it is closed. The folder goes last.
    while (stops.length > 1) await stops.shift()?.();
    const databases = readDatabases(files);
    return { saved: { at: site.laptop.clock.now(), secrets, databases }, brought };
  } finally {
    for (const stop of stops) await stop();
  }
}
