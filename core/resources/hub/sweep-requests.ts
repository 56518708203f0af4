import { atOnce } from "../../at-once.ts";
import type { Deps } from "../../kernel/deps.ts";
import { sweepRequestKey, sweepRequestPartition } from "../../kernel/object/hub-keys.ts";
import type { Store } from "../../kernel/store/store.ts";
import { sweepNext } from "../../ports/sweep-times.ts";

/** Requests to sweep a hub before its scheduled time. */

/** Requests a sweep of a hub soon; several requests result in one sweep. */
export const requestSweep = (store: Store, hub: string): Promise<void> =>
  store.transact([{ put: { ...sweepRequestKey(hub) } }]);

/** Sweeps each requested hub once, except deleted ones; later requests cause another sweep. */
export async function forRequestedHubs(
  deps: Pick<Deps, "store" | "clock">,
  look: (hub: string) => Promise<void>,
): Promise<void> {
  const { store, clock } = deps;
  const { items } = await store.query({ pk: sweepRequestPartition });
  await atOnce(1, items, async ({ sk: hub }) => {
    // The hub stays due until a sweep succeeds, so a crash after this point loses no sweep.
    const isThere = await sweepNext(deps, "objects", { kind: "hub", id: hub }, clock.now());
    await store.transact([{ delete: sweepRequestKey(hub) }]);
    if (isThere) await look(hub);
  });
}
