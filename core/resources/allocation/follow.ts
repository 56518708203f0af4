import { allocationOfHosts } from "../../kernel/object/hub-keys.ts";
import type { RecheckDeps } from "../../kernel/saga/rechecks.ts";
import type { StreamRecord } from "../../kernel/store/store.ts";
import { fillAllocation } from "../../placement/allocations/fill.ts";
import { tendHotPool } from "../host/hot-pool.ts";

/** Fills an allocation, and starts the discovery of missing hosts in the hot pools. */
export async function fill(deps: RecheckDeps, id: string): Promise<void> {
  for (const raised of await fillAllocation(deps, id))
    for (const hostType of Object.keys(raised?.hosts ?? {}))
      if (raised) await tendHotPool(deps, { hub: raised.hub, hostType });
}

/** A listener of the relay: fills an allocation again after hosts of it were claimed or lost. */
export async function followAllocations(
  deps: RecheckDeps,
  { key, after }: Pick<StreamRecord, "key" | "after">,
): Promise<void> {
  const id = allocationOfHosts(key.pk);
  if (id !== undefined && after) await fill(deps, id);
}
