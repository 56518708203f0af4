import { hubLookKey, hubLookPartition } from "../../kernel/object/keys.ts";
import type { Store } from "../../kernel/store/store.ts";

/** Hubs that are to be swept before their turn. */

/** Has a hub swept soon; several requests make one sweep. */
export const askForLook = (store: Store, hub: string): Promise<void> =>
  store.transact([{ put: { ...hubLookKey(hub) } }]);

/** Handles each requested hub once; requests from now on make another sweep. */
export async function forAskedHubs(
  store: Store,
  look: (hub: string) => Promise<void>,
): Promise<void> {
  const { items } = await store.query({ pk: hubLookPartition });
  for (const { sk: hub } of items) {
    // First; after a crash the hub's turn comes anyway.
    await store.transact([{ delete: hubLookKey(hub) }]);
    await look(hub);
  }
}
