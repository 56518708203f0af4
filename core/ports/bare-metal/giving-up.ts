import { givingUpPartition } from "../../kernel/object/hub-keys.ts";
import { pagesIn } from "../../kernel/store/pages.ts";
import { absent, eq, type Store, type Write } from "../../kernel/store/store.ts";
import { sweptFrom } from "../sweep-times.ts";
import { namesService } from "./address.ts";

/**
 * A server to give up at its bare metal service, which knows it as Slipway's from its first use on. The API
 * cannot reach services, so releasing a host stores this item, and the next sweep of the hub gives the server
 * up.
 */

interface Leaving {
  /** The id of the host. */
  host: string;
  hub: string;
  address: string;
}

/**
 * The writes that schedule giving up a server; none for a server with its own controller. `now` in
 * milliseconds.
 */
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

/** Forgets the servers to give up at a deleted hub, which can no longer be reached. */
export async function forgetGivingUp(store: Store, hub: string): Promise<void> {
  for await (const items of pagesIn(store, { pk: givingUpPartition(hub) }))
    for (const { pk, sk } of items) await store.transact([{ delete: { pk, sk } }]);
}
