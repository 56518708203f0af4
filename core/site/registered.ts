import { kindPartition } from "../kernel/object/keys.ts";
import { load, objectIn } from "../kernel/object/records.ts";
import type { Store } from "../kernel/store/store.ts";
import type { Site } from "../resources/site/model.ts";

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
