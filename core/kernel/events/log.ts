import { logKey, logPartition } from "../object/keys.ts";
import type { Records } from "../object/records.ts";
import { heldSince } from "../object/tenancy.ts";
import type { Event } from "./events.ts";
import { eventIn } from "./log-entry.ts";

/** A place in the log of a tenant. */
export interface LogEntry {
  position: number;
  /** Absent where the entry has no event (any more) that the tenant may see. */
  event?: Event;
}

interface Reading {
  /** The last position that was read. */
  after: number;
  limit: number;
  /** Whether events of previous tenants of this name are included: for the provider. */
  isWhole?: boolean;
}

/** The next events in the log of a tenant. When a name is used again, its log goes on. */
export async function readLog(
  records: Records,
  tenant: string,
  { after, limit, isWhole = false }: Reading,
): Promise<LogEntry[]> {
  const range = { from: logKey(tenant, after + 1).sk };
  const { items } = await records.store.query({ pk: logPartition(tenant), range, limit });
  if (items.length === 0) return [];
  const since = isWhole ? "" : await heldSince(records, tenant);
  return items.map((item) => {
    const event = eventIn(item);
    const isTold = event !== undefined && since !== undefined && event.time > since;
    return { position: Number(item.position), ...(isTold && { event }) };
  });
}
