import { kindPartition } from "../kernel/object/keys.ts";
import { objectsIn, type Records } from "../kernel/object/records.ts";
import type { Site } from "./site.ts";

/** Every site in its present state. Only which sites there are comes from an index, which may lag. */
export async function sitesOf(records: Records): Promise<Site[]> {
  const found: Site[] = [];
  for await (const page of objectsIn<"site">(records, { index: "g4", pk: kindPartition("site") }))
    found.push(...page);
  return found;
}
