import { atOnce } from "../../at-once.ts";
import type { Deps } from "../../kernel/deps.ts";
import { sweepRequestKey, sweepRequestPartition } from "../../kernel/object/hub-keys.ts";
import type { Store } from "../../kernel/store/store.ts";
import { sweepNext } from "../../ports/sweep-times.ts";

/** Requests to sweep a hub before its turn. */

/** Has a hub swept soon; several requests make one sweep. */
export const requestSweep = (store: Store, hub: string): Promise<void> =>
  store.transact([{ put: { ...sweepRequestKey(hub) } }]);

/**
 * Handles each requested hub once, but those that were deleted; requests from now on make another sweep.
 */
export async function forRequestedHubs(
  deps: Pick<Deps, "store" | "clock">,
  look: (hub: string) => Promise<void>,
): Promise<void> {
  const { store, clock } = deps;
  const { items } = await store.query({ pk: sweepRequestPartition });
  await atOnce(1, items, async ({ sk: hub }) => {
    // The hub stays due until a sweep has ended well, so a crash after this loses no sweep.
    const isThere = await sweepNext(deps, "objects", { kind: "hub", id: hub }, clock.now());
    await store.transact([{ delete: sweepRequestKey(hub) }]);
    if (isThere) await look(hub);
  });
}
