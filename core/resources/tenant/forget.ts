import { AppError } from "../../error.ts";
import { countKey, tenantPartition } from "../../kernel/object/keys.ts";
import { load, objectsIn, type Records, takenAway } from "../../kernel/object/records.ts";
import type { Tenant } from "./model.ts";

/** The operations that one transaction deletes, each with its entry in a project's list. */
const batch = 20;

/**
 * Removes the operations of a deleted tenant, which outlive its last object. Until they are removed, nobody can use
 * the name (`core/kernel/request/tenant.ts`); operations of a later tenant of that name stay. Throws Unavailable if
 * the index does not show all of them yet.
 */
export async function forgetTenant(records: Records, { id, event }: Tenant): Promise<void> {
  const { store, kinds } = records;
  const pk = tenantPartition("operation", id);
  const query = { pk, index: "g1", range: { to: `${event.time}~` }, limit: batch } as const;
  for await (const operations of objectsIn<"operation">(records, query))
    if (operations.length > 0) await store.transact(takenAway(kinds, operations));
  // The index may lag behind the counter of operations.
  const left = Number((await store.get(countKey("operation", id)))?.count ?? 0);
  if (left > 0 && !(await load(records, "tenant", id)))
    throw new AppError("Unavailable", `${left} operations of tenant '${id}' are not found yet`);
}
