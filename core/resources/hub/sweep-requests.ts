import { sweepRequestKey, sweepRequestPartition } from "../../kernel/object/keys.ts";
import type { Store } from "../../kernel/store/store.ts";

/** Requests to sweep a hub before its turn. */

/** Has a hub swept soon; several requests make one sweep. */
export const requestSweep = (store: Store, hub: string): Promise<void> =>
  store.transact([{ put: { ...sweepRequestKey(hub) } }]);

/** Handles each requested hub once; requests from now on make another sweep. */
export async function forRequestedHubs(
  store: Store,
  look: (hub: string) => Promise<void>,
): Promise<void> {
  const { items } = await store.query({ pk: sweepRequestPartition });
  for (const { sk: hub } of items) {
    // The request is deleted first; if a crash follows, the hub's regular sweep comes anyway.
    await store.transact([{ delete: sweepRequestKey(hub) }]);
    await look(hub);
  }
}
