import type { Deps } from "../../deps.ts";
import { AppError } from "../../error.ts";
import { countKey, tenantPartition } from "../../kernel/object/keys.ts";
import { load, objectIn, takenAway } from "../../kernel/object/records.ts";
import type { Operation } from "../../kernel/saga/operation.ts";
import type { Tenant } from "./model.ts";

/** Operations of one transaction, each with its place in the list of a project. */
const batch = 20;

/**
 * A tenant was deleted: what outlives its last object goes too, its operations. Until they are gone,
 * nobody gets the name (`order/tenant.ts`); those of who has it later stay. Throws Unavailable when
 * some are not to be found yet.
 */
export async function forgetTenant(
  { store }: Pick<Deps, "store">,
  { id, event }: Tenant,
): Promise<void> {
  const pk = tenantPartition("operation", id);
  const range = { to: `${event.time}~` };
  let cursor: string | undefined;
  do {
    const page = await store.query({
      pk,
      index: "g1",
      range,
      limit: batch,
      ...(cursor && { cursor }),
    });
    const operations = page.items.map((item): Operation => objectIn<"operation">(item));
    if (operations.length > 0) await store.transact(takenAway(operations));
    cursor = page.cursor;
  } while (cursor !== undefined);
  // An index may lag.
  const left = Number((await store.get(countKey("operation", id)))?.count ?? 0);
  if (left > 0 && !(await load(store, "tenant", id)))
    throw new AppError("Unavailable", `${left} operations of tenant '${id}' are not found yet`);
}
