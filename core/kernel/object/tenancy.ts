import { archiveKey, objectKey } from "./keys.ts";
import { sharedTenant } from "./metadata.ts";
import { objectIn, type Records } from "./records.ts";

/**
 * When who had a tenant's name before lost it: what is from then or earlier is not the present
 * tenant's. Empty where nobody had it lately; undefined where nobody has it now, who could be told
 * anything.
 */
export async function heldSince(
  { store, kinds }: Records,
  tenant: string,
): Promise<string | undefined> {
  if (tenant === sharedTenant) return "";
  const [present, former] = await store.getMany([
    objectKey("tenant", tenant),
    archiveKey("tenant", tenant),
  ]);
  if (!present) return undefined;
  return former ? objectIn(kinds, former).event.time : "";
}

/** Whether something is the present tenant's, by its time. */
export async function isHeld(records: Records, tenant: string, time: string): Promise<boolean> {
  const since = await heldSince(records, tenant);
  return since !== undefined && time > since;
}
