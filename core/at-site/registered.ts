import { kindPartition } from "../kernel/object/keys.ts";
import { load, objectsIn, type Records } from "../kernel/object/records.ts";
import type { Site } from "./site.ts";

/** Every site, read from an index, which may lag. */
export async function sitesSeen(records: Records): Promise<Site[]> {
  const found: Site[] = [];
  for await (const page of objectsIn<"site">(records, { index: "g4", pk: kindPartition("site") }))
    found.push(...page);
  return found;
}

/** Every site. Only the ids are read from an index, which may lag. */
export async function sitesOf(records: Records): Promise<Site[]> {
  const found: Site[] = [];
  for await (const page of objectsIn<"site">(records, { index: "g4", pk: kindPartition("site") }))
    for (const { id } of page) {
      const site = await load(records, "site", id);
      if (site) found.push(site);
    }
  return found;
}
