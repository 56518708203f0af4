import type { Deps } from "../deps.ts";
import { ticketClass } from "../kernel/object/keys.ts";
import type { StreamRecord } from "../kernel/store/store.ts";
import { candidatesOf } from "../placement/hubs.ts";
import {
  hostClass,
  hubClass,
  isOfNumbers,
  numbersClass,
  slotClass,
  ticketIn,
  wakeNext,
  wakeQueues,
  wakeShort,
} from "../placement/tickets.ts";
import { type Cluster, knownNodeSets } from "../resources/cluster/model.ts";
import type { Host } from "../resources/host/model.ts";
import { type PoolUse, poolName } from "../resources/site/model.ts";

/**
 * What a change of the store has set free: those who wait for it look again. They are told through
 * the stream, so that no crash between freeing and telling leaves them waiting.
 */

/** A place in a queue: the next in line may be served. */
export async function tellNext(deps: Deps, { key, before, after }: StreamRecord): Promise<void> {
  const scarce = ticketClass(key.pk);
  // Nobody stands behind a ticket for hubs; it only hears of them.
  if (scarce === undefined || scarce === hubClass || !before || after) return;
  if (isOfNumbers(scarce)) await wakeNext(deps, scarce);
  else await wakeQueues(deps, [scarce], { wish: ticketIn(before).wish });
}

/** Numbers of a cluster at its site: they rest, and the next in line is to know for how long. */
async function tellOfNumbers(deps: Deps, before: Cluster, after: Cluster): Promise<void> {
  if (!before.site) return;
  const held = ({ site }: Cluster): Record<PoolUse, unknown> => ({
    vlans: site?.vlan,
    prefixes: site?.network,
    floating_ips: site?.floating_ips,
  });
  const [had, has] = [held(before), held(after)];
  for (const use of Object.keys(had) as PoolUse[]) {
    if (had[use] !== undefined && has[use] === undefined)
      await wakeNext(deps, numbersClass(poolName(before.site.id, use)));
  }
}

/** Hosts of a cluster, its slot, its numbers. */
export async function tellOfRelease(deps: Deps, before: Cluster, after: Cluster): Promise<void> {
  await tellOfNumbers(deps, before, after);
  if (!before.placement) return;
  const { hub, hosts } = before.placement;
  const nodeSets = knownNodeSets(before);
  const classes = Object.entries(hosts).flatMap(([set, held]) => {
    const type = nodeSets[set]?.host_type.name;
    const left = new Set(after.placement?.hosts[set]);
    return type !== undefined && held.some((host) => !left.has(host)) ? [hostClass(type)] : [];
  });
  if (!after.placement) classes.push(slotClass, hubClass);
  if (classes.length > 0) await wakeQueues(deps, classes, { hub });
}

/** A hub that came, came back, or was changed by the provider. */
export const tellOfHub = (deps: Deps, hub: string): Promise<void> =>
  wakeQueues(deps, [hubClass, slotClass], { hub });

/**
 * A host that came to a hub, left it or became one of another type: the hub can serve others now,
 * and some no more. Those stand in nobody's way any longer, so the ones behind them look as well.
 */
export async function tellOfInventory(
  deps: Deps,
  before: Host | undefined,
  after: Host | undefined,
): Promise<void> {
  const [from, to] = [before?.spec, after?.spec];
  if (from?.hub === to?.hub && from?.host_type === to?.host_type) return;
  for (const place of [from, to]) {
    const [hub] = place ? await candidatesOf(deps.store, [place.hub]) : [];
    if (!place || !hub) continue;
    await wakeShort(deps, hub, place.host_type);
    // What they wait for may be anything that the hub has.
    const classes = [slotClass, ...Object.keys(hub.hosts).map(hostClass)];
    if (place === from) await wakeQueues(deps, classes, { hub: place.hub });
  }
}
