import { hubLookKey, hubLookPartition } from "../../kernel/object/keys.ts";
import type { Store } from "../../kernel/store/store.ts";

/** Hubs that somebody wants looked at before their turn. */

/** Has a hub looked at soon; asked for often, it is looked at once. */
export const askForLook = (store: Store, hub: string): Promise<void> =>
  store.transact([{ put: { ...hubLookKey(hub) } }]);

/** Each hub that somebody asked for, once; who asks from now on is heard again. */
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
