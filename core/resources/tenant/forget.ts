import { AppError } from "../../error.ts";
import { countKey, tenantPartition } from "../../kernel/object/keys.ts";
import { load, objectsIn, type Records, takenAway } from "../../kernel/object/records.ts";
import type { Tenant } from "./model.ts";

/** Operations of one transaction, each with its place in the list of a project. */
const batch = 20;

/**
 * A tenant was deleted: what outlives its last object goes too, its operations. Until they are gone,
 * nobody gets the name (`order/tenant.ts`); those of who has it later stay. Throws Unavailable when
 * some are not to be found yet.
 */
export async function forgetTenant(records: Records, { id, event }: Tenant): Promise<void> {
  const { store, kinds } = records;
  const pk = tenantPartition("operation", id);
  const query = { pk, index: "g1", range: { to: `${event.time}~` }, limit: batch } as const;
  for await (const operations of objectsIn<"operation">(records, query))
    if (operations.length > 0) await store.transact(takenAway(kinds, operations));
  // An index may lag.
  const left = Number((await store.get(countKey("operation", id)))?.count ?? 0);
  if (left > 0 && !(await load(records, "tenant", id)))
    throw new AppError("Unavailable", `${left} operations of tenant '${id}' are not found yet`);
}
