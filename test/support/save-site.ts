import { openSqliteStore } from "../../core/kernel/store/sqlite/sqlite.ts";
import { openDatabase } from "../../sim/database.ts";
import type { Stop } from "./laptop.ts";
import { databaseFiles, readDatabases, type SavedSite } from "./saved-site.ts";
import { openSite, type Site } from "./site.ts";

/**
 * Opens a site, brings it to where others are to start, and puts it aside; answers what `bring`
 * answered as well.
 */
export async function saveSite<T>(
  bring: (site: Site) => Promise<T>,
): Promise<{ saved: SavedSite; brought: T }> {
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
