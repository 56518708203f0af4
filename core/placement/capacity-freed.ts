import type { Deps } from "../kernel/deps.ts";
import { ticketQueue } from "../kernel/object/keys.ts";
import type { Placed } from "../kernel/object/traits.ts";
import type { StreamRecord } from "../kernel/store/store.ts";
import type { Host } from "./host.ts";

import { candidatesOf } from "./hubs.ts";
import {
  hostQueue,
  hubQueue,
  isOfNumbers,
  numbersQueue,
  slotQueue,
  ticketIn,
  wakeFirst,
  wakeQueues,
  wakeShort,
} from "./tickets.ts";

/**
 * What a change of the store has set free: operations that wait for it look again. The relay calls
 * these, so that no crash between freeing and waking leaves anybody waiting.
 */

/** A ticket was dropped: the next in its queue may be served. */
export async function wakeQueue(deps: Deps, { key, before, after }: StreamRecord): Promise<void> {
  const queueName = ticketQueue(key.pk);
  // A ticket of the queue of hubs holds nobody back.
  if (queueName === undefined || queueName === hubQueue || !before || after) return;
  if (isOfNumbers(queueName)) await wakeFirst(deps, queueName);
  else await wakeQueues(deps, [queueName], { where: ticketIn(before).where });
}

/** Numbers of these pools were given back: they rest, and the first in line is to know for how long. */
export async function onNumbersReleased(deps: Deps, pools: string[]): Promise<void> {
  for (const pool of pools) await wakeFirst(deps, numbersQueue(pool));
}

/** An owner holds fewer hosts than before, or its place is gone. `typeOf`: what the hosts of a set were. */
export async function onHostsReleased(
  deps: Deps,
  before: Placed,
  after: Placed,
  typeOf: (set: string) => string | undefined,
): Promise<void> {
  if (!before.placement) return;
  const { hub, hosts } = before.placement;
  const queues = Object.entries(hosts).flatMap(([set, held]) => {
    const type = typeOf(set);
    const left = new Set(after.placement?.hosts[set]);
    return type !== undefined && held.some((host) => !left.has(host)) ? [hostQueue(type)] : [];
  });
  if (!after.placement) queues.push(slotQueue, hubQueue);
  if (queues.length > 0) await wakeQueues(deps, queues, { hub });
}

/** A hub came, came back, or was changed by the provider. */
export const onHubChanged = (deps: Deps, hub: string): Promise<void> =>
  wakeQueues(deps, [hubQueue, slotQueue], { hub });

/**
 * A host came to a hub, left it or became one of another type: the hub can serve others now, and
 * some no more. Those stand in nobody's way any longer, so the ones behind them look as well.
 */
export async function onInventoryChanged(
  deps: Deps,
  before: Host | undefined,
  after: Host | undefined,
): Promise<void> {
  const [from, to] = [before?.spec, after?.spec];
  if (from?.hub === to?.hub && from?.host_type === to?.host_type) return;
  for (const place of [from, to]) {
    const [hub] = place ? await candidatesOf(deps, [place.hub]) : [];
    if (!place || !hub) continue;
    await wakeShort(deps, hub, place.host_type);
    // What they wait for may be anything that the hub has.
    const queues = [slotQueue, ...Object.keys(hub.hosts).map(hostQueue)];
    if (place === from) await wakeQueues(deps, queues, { hub: place.hub });
  }
}
