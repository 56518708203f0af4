import { givingUpPartition } from "../../kernel/object/hub-keys.ts";
import { pagesIn } from "../../kernel/store/pages.ts";
import { absent, eq, type Store, type Write } from "../../kernel/store/store.ts";
import { sweptFrom } from "../sweep-times.ts";
import { namesService } from "./address.ts";

/**
 * A service knows a server as ours from its first use on. The API has no way to a service, so whoever lets a
 * server go writes that down, and the next sweep of the hub gives it up there.
 */

interface Leaving {
  /** The id of the host. */
  host: string;
  hub: string;
  address: string;
}

/** The writes that have a server given up; none for one at its own controller. `now` in milliseconds. */
export async function givingUp(
  store: Store,
  { host, hub, address }: Leaving,
  now: number,
): Promise<Write[]> {
  if (!namesService(address)) return [];
  const key = { pk: givingUpPartition(hub), sk: address };
  const known = await store.get(key);
  if (known?.host === host) return [];
  const isStill = known === undefined ? absent : eq("host", String(known.host));
  return [
    { put: { ...key, host }, if: isStill },
    sweptFrom("orphans", { kind: "hub", id: hub }, now),
  ];
}

/** Forgets what was released at a hub that was deleted: nobody gets there any more. */
export async function forgetGivingUp(store: Store, hub: string): Promise<void> {
  for await (const items of pagesIn(store, { pk: givingUpPartition(hub) }))
    for (const { pk, sk } of items) await store.transact([{ delete: { pk, sk } }]);
}
