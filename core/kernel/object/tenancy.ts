import { archiveKey, objectKey } from "./keys.ts";
import { sharedTenant } from "./metadata.ts";
import { objectIn, type Records } from "./records.ts";

/**
 * The time at which the previous tenant of this name was deleted: records up to that time belong to that
 * tenant. Empty if no tenant of this name was deleted lately; undefined if no tenant has the name now.
 */
export async function heldSince(
  { store, kinds }: Records,
  tenant: string,
): Promise<string | undefined> {
  if (tenant === sharedTenant) return "";
  const [present, previous] = await store.getMany([
    objectKey("tenant", tenant),
    archiveKey("tenant", tenant),
  ]);
  if (!present) return undefined;
  return previous ? objectIn(kinds, previous).event.time : "";
}

/** Whether a record of this time belongs to the present tenant of its name. */
export async function isHeld(records: Records, tenant: string, time: string): Promise<boolean> {
  const since = await heldSince(records, tenant);
  return since !== undefined && time > since;
}
