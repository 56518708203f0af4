import type { Deps } from "../../kernel/deps.ts";
import { allocationOfHosts } from "../../kernel/object/hub-keys.ts";
import type { StreamRecord } from "../../kernel/store/store.ts";
import { fillAllocation } from "../../placement/allocations/fill.ts";
import { tendHotPool } from "../host/hot-pool.ts";

/** Fills an allocation, and has the hot pools come up with what it lacks. */
export async function fill(deps: Deps, id: string): Promise<void> {
  for (const raised of await fillAllocation(deps, id))
    for (const hostType of Object.keys(raised?.hosts ?? {}))
      if (raised) await tendHotPool(deps, { hub: raised.hub, hostType });
}

/** A listener of the relay: follows what is claimed from an allocation, and what it loses. */
export async function followAllocations(
  deps: Deps,
  { key, after }: Pick<StreamRecord, "key" | "after">,
): Promise<void> {
  const id = allocationOfHosts(key.pk);
  if (id !== undefined && after) await fill(deps, id);
}
