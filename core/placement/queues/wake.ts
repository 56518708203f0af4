import { asOperationId } from "../../id.ts";
import { allocationHostsKey } from "../../kernel/object/hub-keys.ts";
import type { RecheckDeps } from "../../kernel/saga/rechecks.ts";
import { isWritten } from "../../kernel/store/optimistically.ts";
import { exists } from "../../kernel/store/store.ts";
import { noteRoom } from "../capacity/note-room.ts";
import {
  type Candidate,
  type Constraints,
  couldServe,
  mayMeet,
  mismatch,
} from "../hubs/candidate.ts";
import { candidatesOf } from "../hubs/read.ts";
import { reservedOf } from "../pool/reserved.ts";
import { hostPrefix, hostQueue, hubQueue, queue, type Ticket, waiterIn } from "./tickets.ts";

/** Wakes operations in queues after something that they wait for was freed, or another operation left the queue. */

async function wake(deps: RecheckDeps, ticket: Ticket): Promise<void> {
  if (ticket.allocation === undefined)
    await deps.rechecks.request(asOperationId(ticket.operation), ticket.step);
  else
    await isWritten(deps.store, [
      { update: allocationHostsKey(ticket.allocation), add: { woken: 1 }, if: exists },
    ]);
}

/** Wakes the first in a queue of numbers. */
export async function wakeFirst(deps: RecheckDeps, queueName: string): Promise<void> {
  for await (const ticket of queue(deps.store, queueName)) {
    await wake(deps, ticket);
    return;
  }
}

/**
 * The number of operations that could use a hub and are woken at once; each that is served drops its ticket, which
 * wakes the next.
 */
const wokenPerHub = (queueName: string): number => (queueName === hubQueue ? 50 : 3);

/**
 * Whether a hub concerns a ticket. Every hub that matches wakes tickets for any hub; the operation then finds its
 * shortage.
 */
const concerns = (
  queueName: string,
  hub: Candidate,
  ticket: Pick<Ticket, "where" | "needs">,
): boolean =>
  queueName === hubQueue ? mismatch(hub.hub, ticket.where) === undefined : couldServe(hub, ticket);

/** Wakes the first in these queues that could use the hub, after something was freed on the hub. */
export async function wakeQueues(
  deps: RecheckDeps,
  queueNames: Iterable<string>,
  id: string,
): Promise<void> {
  await noteRoom(deps, id);
  const [hub] = await candidatesOf(deps, [id]);
  if (!hub) return;
  const woken = new Set<string>();
  for (const queueName of new Set(queueNames)) {
    const type = queueName.startsWith(hostPrefix) ? queueName.slice(hostPrefix.length) : undefined;
    // Tenants with reserved hosts at the hub are served whatever their position.
    const isReserved = type !== undefined && reservedOf(hub.reserved, type) > 0;
    // Tickets with racks may be woken without success, so they do not count against the others.
    const left = { racks: wokenPerHub(queueName), any: wokenPerHub(queueName) };
    let read = 0;
    for await (const ticket of queue(deps.store, queueName)) {
      if (left.any === 0 && (!isReserved || read === ticketsRead)) break;
      read += 1;
      if (!concerns(queueName, hub, ticket)) continue;
      if (!isReserved || reservedOf(hub.reserved, type, ticket.where.tenant) === 0) {
        const turn = ticket.racks === undefined ? "any" : "racks";
        if (left[turn] === 0) continue;
        left[turn] -= 1;
      }
      const waiter = waiterIn(ticket);
      if (woken.has(waiter)) continue;
      woken.add(waiter);
      await wake(deps, ticket);
    }
  }
}

/**
 * The number of operations that are woken after a ticket was dropped: of those with equal needs, and of all. Tickets
 * beyond the first `ticketsRead` are not woken.
 */
const wokenAlike = 3;
const wokenAtOnce = 50;
const ticketsRead = 500;

/**
 * Wakes operations in a queue that could use the same hubs as one that has left it. The first operation at each hub is
 * also the first of those with equal needs, so no hub has to be read.
 */
export async function wakeBehind(
  deps: RecheckDeps,
  queueName: string,
  where: Constraints,
): Promise<void> {
  if (where.hub !== undefined) return wakeQueues(deps, [queueName], where.hub);
  const alike = new Map<string, number>();
  let [read, woken] = [0, 0];
  for await (const ticket of queue(deps.store, queueName)) {
    if (read === ticketsRead || woken === wokenAtOnce) break;
    read += 1;
    if (!mayMeet(ticket.where, where)) continue;
    const wanted = JSON.stringify([ticket.where, ticket.needs]);
    const before = alike.get(wanted) ?? 0;
    if (before === wokenAlike) continue;
    alike.set(wanted, before + 1);
    woken += 1;
    await wake(deps, ticket);
  }
}

/** The limit of operations that are woken when a hub's number of hosts changes and is below their need. */
const wokenByCount = 50;

/**
 * Called when the number of a hub's hosts of a type has changed. Wakes operations that need at least this number, so
 * that they update the reasons of their waits.
 */
export async function wakeLacking(
  deps: RecheckDeps,
  hub: Candidate,
  hostType: string,
): Promise<void> {
  let left = wokenByCount;
  for await (const ticket of queue(deps.store, hostQueue(hostType))) {
    if (left === 0) break;
    if (mismatch(hub.hub, ticket.where) !== undefined) continue;
    if ((ticket.needs[hostType] ?? 0) < (hub.hosts[hostType] ?? 0)) continue;
    left -= 1;
    await wake(deps, ticket);
  }
}
