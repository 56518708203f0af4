import type { Deps } from "../deps.ts";
import type { Cluster } from "../model/cluster.ts";
import { hostClass, hubClass, slotClass, ticketIn, wakeQueues } from "../placement/tickets.ts";
import { ticketClass } from "../store/keys.ts";
import type { StreamRecord } from "../store/store.ts";

/**
 * What a change of the store has set free: those who wait for it look again. They are told through
 * the stream, so that no crash between freeing and telling leaves them waiting.
 */

/** A place in a queue: the next in line may be served. */
export async function tellNext(deps: Deps, { key, before, after }: StreamRecord): Promise<void> {
  const scarce = ticketClass(key.pk);
  // Nobody stands behind a ticket for hubs; it only hears of them.
  if (scarce === undefined || scarce === hubClass || !before || after) return;
  await wakeQueues(deps, [scarce], { wish: ticketIn(before).wish });
}

/** Hosts of a cluster, its slot. */
export async function tellOfRelease(deps: Deps, before: Cluster, after: Cluster): Promise<void> {
  if (!before.placement) return;
  const { hub, hosts } = before.placement;
  const classes = Object.entries(hosts).flatMap(([set, held]) => {
    const type = before.spec.node_sets[set]?.host_type.name;
    const left = new Set(after.placement?.hosts[set]);
    return type !== undefined && held.some((host) => !left.has(host)) ? [hostClass(type)] : [];
  });
  if (!after.placement) classes.push(slotClass, hubClass);
  if (classes.length > 0) await wakeQueues(deps, classes, { hub });
}

/** A hub that came, came back, or was changed by the provider. */
export const tellOfHub = (deps: Deps, hub: string): Promise<void> =>
  wakeQueues(deps, [hubClass, slotClass], { hub });
