import { isDeepStrictEqual } from "node:util";
import type { HostId } from "../../id.ts";
import { ticketQueue } from "../../kernel/object/keys.ts";
import type { Placed } from "../../kernel/object/traits.ts";
import type { RecheckDeps } from "../../kernel/saga/rechecks.ts";
import type { StreamRecord } from "../../kernel/store/store.ts";
import { noteRoom } from "../capacity/note-room.ts";
import { candidatesOf } from "../hubs/read.ts";
import { countedPlace } from "../pool/counted.ts";
import type { Host } from "../pool/host.ts";
import {
  hostQueue,
  hubQueue,
  isOfNumbers,
  numbersQueue,
  slotQueue,
  ticketIn,
} from "../queues/tickets.ts";
import { wakeBehind, wakeFirst, wakeLacking, wakeQueues } from "../queues/wake.ts";
import { adjustPool } from "./adjust.ts";

/**
 * Wakes operations in queues when a change of the store has freed capacity that they wait for. The relay calls these
 * functions, so a crash between the release and the wake loses no wake.
 */

/** Called when a ticket was dropped: the next in its queue may be served. */
export async function wakeQueue(
  deps: RecheckDeps,
  { key, before, after }: StreamRecord,
): Promise<void> {
  const queueName = ticketQueue(key.pk);
  // A ticket for any hub holds nobody back.
  if (queueName === undefined || queueName === hubQueue || !before || after) return;
  if (isOfNumbers(queueName)) await wakeFirst(deps, queueName);
  else await wakeBehind(deps, queueName, ticketIn(before).where);
}

/** Called when numbers of these pools were released: wakes the first operation in the queue once they can be used. */
export async function onNumbersReleased(deps: RecheckDeps, pools: string[]): Promise<void> {
  for (const pool of pools) await wakeFirst(deps, numbersQueue(pool));
}

/**
 * Called when an owner holds other hosts than before, or lost its placement. `typeOf`: the host type of a set before
 * the change. Hosts that were claimed get the owner in their status. Hosts that were released are adjusted once more,
 * because the worker that released them may have died before it did so.
 */
export async function onHostsMoved(
  deps: RecheckDeps,
  before: Placed,
  after: Placed,
  typeOf: (set: string) => string | undefined,
): Promise<void> {
  const left = heldBy(after);
  for (const host of heldBy(before).symmetricDifference(left)) await adjustPool(deps, host);
  if (!before.placement) return;
  const { hub, hosts, slotless } = before.placement;
  const queues = Object.entries(hosts).flatMap(([set, held]) => {
    const type = typeOf(set);
    return type !== undefined && held.some((host) => !left.has(host)) ? [hostQueue(type)] : [];
  });
  if (!after.placement) queues.push(...(slotless ? [] : [slotQueue]), hubQueue);
  if (queues.length > 0) await wakeQueues(deps, queues, hub);
}

const heldBy = ({ placement }: Placed): ReadonlySet<HostId> =>
  new Set(Object.values(placement?.hosts ?? {}).flat());

/** Called when a hub was added, answers again, or was changed by the provider. */
export const onHubChanged = (deps: RecheckDeps, hub: string): Promise<void> =>
  wakeQueues(deps, [hubQueue, slotQueue], hub);

/**
 * Called when a host was added to a hub, removed from it, changed its type, or was retired: the hub can now serve other
 * operations, and no longer serve some. Tickets that it can no longer serve block nobody there, so the operations
 * behind them are woken too.
 */
export async function onInventoryChanged(
  deps: RecheckDeps,
  before: Host | undefined,
  after: Host | undefined,
): Promise<void> {
  const [from, to] = [countedPlace(before), countedPlace(after)];
  if (isDeepStrictEqual(from, to)) return;
  for (const place of [from, to]) {
    if (!place) continue;
    await noteRoom(deps, place.hub);
    const [hub] = await candidatesOf(deps, [place.hub]);
    if (!hub) continue;
    await wakeLacking(deps, hub, place.hostType);
    // An operation can wait for anything of the hub, so all queues are woken.
    const queues = [slotQueue, ...Object.keys(hub.hosts).map(hostQueue)];
    if (place === from) await wakeQueues(deps, queues, place.hub);
  }
}
