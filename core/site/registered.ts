import type { Site } from "../model/site.ts";
import { kindPartition } from "../store/keys.ts";
import { load, objectIn } from "../store/records.ts";
import type { Store } from "../store/store.ts";

/** Every site. Only their ids come from an index, which may lag. */
export async function sitesOf(store: Store): Promise<Site[]> {
  const found: Site[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.query({
      index: "g4",
      pk: kindPartition("site"),
      ...(cursor ? { cursor } : {}),
    });
    for (const item of page.items) {
      const site = await load(store, "site", objectIn<"site">(item).id);
      if (site) found.push(site);
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}
