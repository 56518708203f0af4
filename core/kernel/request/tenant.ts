import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../deps.ts";
import { keepFormer } from "../events/former.ts";
import { createdEvent } from "../events/outbox.ts";
import { archiveKey, countKey, objectKey } from "../object/keys.ts";
import { sharedTenant } from "../object/metadata.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { firstSequence, putNew } from "../object/records.ts";
import type { Store, Write } from "../store/store.ts";

/**
 * The writes that create the tenant's record if it does not exist, for the transaction that creates an object of the
 * tenant. If two first objects are created at once, one transaction is tried again. Throws Forbidden where tenants have
 * to be registered.
 */
export async function tenantWrites(
  {
    store,
    kinds,
    clock,
    tenants = "first-use",
  }: Pick<Deps, "store" | "kinds" | "clock" | "tenants">,
  name: string,
): Promise<Write[]> {
  if (name === sharedTenant || (await store.get(objectKey("tenant", name)))) return [];
  if (tenants === "registered") throw new AppError("Forbidden", `tenant '${name}' doesn't exist`);
  const [previous] = await Promise.all([
    store.get(archiveKey("tenant", name)),
    refuseNotForgotten(store, name),
  ]);
  const now = clock.now();
  return [
    ...putNew(kinds, newTenant(name, firstSequence(kinds, previous), now)),
    ...keepFormer({ kinds }, previous, now),
  ];
}

/**
 * Refuses while records of the previous tenant of this name still exist, since they would become the
 * new tenant's. Throws Unavailable, because their removal takes only a moment.
 */
export async function refuseNotForgotten(store: Store, name: string): Promise<void> {
  const left = Number((await store.get(countKey("operation", name)))?.count ?? 0);
  // Another request may have created the new tenant meanwhile.
  if (left === 0 || (await store.get(objectKey("tenant", name)))) return;
  const message = `tenant '${name}' was deleted a moment ago, and its operations are still being removed; try again`;
  throw new AppError("Unavailable", message);
}

/** A default record, created with the tenant's first object; the provider can edit it later. */
function newTenant(name: string, sequence: number, now: number): ObjectOf["tenant"] {
  const time = timestamp(now);
  return {
    kind: "tenant",
    id: name,
    metadata: {
      name,
      tenant: name,
      labels: {},
      annotations: {},
      creator: "slipway",
      creation_timestamp: time,
    },
    generation: 0,
    revision: 1,
    spec: {},
    status: { state: "TENANT_STATE_SYNCED" },
    event: createdEvent("tenant", time, sequence),
  };
}
