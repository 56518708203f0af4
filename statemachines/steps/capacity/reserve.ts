import { bounds, cut } from "../../../core/bounds.ts";
import { minutes, seconds } from "../../../core/clock.ts";
import { dropTickets } from "../../../core/kernel/claim/ticket.ts";
import type { Deps } from "../../../core/kernel/deps.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import type { Placed, PlacedKind } from "../../../core/kernel/object/traits.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { entryOf, isCurrent } from "../../../core/kernel/saga/entry.ts";
import type { Operation } from "../../../core/kernel/saga/operation.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { edit } from "../../../core/kernel/saga/settle.ts";
import { type Demand, lackingHosts, type Placing } from "../../../core/placement/choose/demand.ts";
import type { Ticket } from "../../../core/placement/queues/tickets.ts";
import { reserve } from "../../../core/placement/reserve/reserve.ts";
import { firstRejected, type Other } from "../../../core/placement/reserve/writes.ts";
import { nextFrom, tendHotPool } from "../../../core/resources/host/hot-pool.ts";
import { underFence } from "../under-fence.ts";

/** How often an operation that waits for capacity checks again without being woken. */
export const ownLook = seconds(300);

/** This many operations at the front of the queue check that often; later ones check less often. */
const inFront = 20;

/**
 * The time to the next check of an operation at this position. It grows with the position, so that a long queue
 * does not cost more checks. An operation that no hub could serve waits for a change of hubs.
 */
const ownLookAt = (position: number | undefined): number =>
  ownLook * (position === undefined ? 2 : Math.ceil(position / inFront));

/** How soon an order checks further hubs, if it has not checked all that may have room. */
const looksOn = seconds(10);

/** How to read a target's demand, how its record gets the placement, and which owners are placed with it. */
export interface Capacity<K extends PlacedKind> extends Placing<K> {
  demandOf(target: ObjectOf[K]): Demand;
  othersOf?(deps: Deps, target: ObjectOf[K]): Promise<Other<K>[]>;
}

/**
 * Claims what the target lacks, or takes tickets. Records why this hub was chosen, or what the operation waits for.
 */
export const reserveCapacity =
  <K extends PlacedKind>({ demandOf, othersOf, ...placing }: Capacity<K>) =>
  async (target: ObjectOf[K], context: StepContext<ObjectOf[K]>): Promise<void> => {
    const { deps, operation } = context;
    const { purpose } = demandOf(target);
    const reservation = await reserve(deps, {
      ...placing,
      id: target.id,
      demand: demandOf,
      ...(othersOf && { others: (object: ObjectOf[K]) => othersOf(deps, object) }),
      operation,
      step: context.step,
      fence: context.fence(),
    });
    const reason = reservation.placed
      ? reservation.reason
      : `${reservation.waitingFor}${purpose ? `, ${purpose}` : ""}${await raise(deps, reservation.raised)}`;
    const { position, walked } = reservation.placed
      ? { position: undefined, walked: undefined }
      : reservation;
    await tell(context, {
      reason: cut(reason, bounds.reason),
      rejected: firstRejected(reservation.rejected),
      ...(position === undefined ? {} : { position }),
      ...(walked && { walked }),
    });
  };

/** Records why a hub was chosen, or what the operation waits for. */
export async function tell<K extends PlacedKind>(
  { deps, operation, step }: StepContext<ObjectOf[K]>,
  placement: NonNullable<Operation["placement"]>,
): Promise<void> {
  const { attempt = "" } = entryOf(operation, step);
  await edit(deps, operation.id, (current) =>
    // A newer attempt may have been placed in the meantime.
    isCurrent(entryOf(current, step), attempt) ? { ...current, placement } : undefined,
  );
}

/**
 * Starts the discovery of servers that are off, and answers the words for it: `; 2 of 3 hosts are being discovered,
 * about 4 min`.
 */
async function raise(deps: Deps, raised: Ticket["raises"]): Promise<string> {
  if (!raised) return "";
  const words: string[] = [];
  for (const [hostType, count] of Object.entries(raised.hosts)) {
    const place = { hub: raised.hub, hostType };
    const { coming = 0 } = (await tendHotPool(deps, place)) ?? {};
    if (coming === 0) continue;
    const next = await nextFrom(deps, place);
    const left = next === undefined ? 0 : Math.ceil((next - deps.clock.now()) / minutes(1));
    const when = left > 0 ? `, about ${left} min` : "";
    words.push(`; ${Math.min(coming, count)} of ${count} hosts are being discovered${when}`);
  }
  return words.join("");
}

export const capacityReserved =
  <K extends PlacedKind>({ demandOf }: Capacity<K>) =>
  (target: ObjectOf[K], { operation }: Context): Outcome => {
    const { placement }: Placed = target;
    if (placement && lackingHosts(demandOf(target).wants, placement).size === 0) return done;
    const { reason = "capacity", walked, position } = operation.placement ?? {};
    return pending(reason, walked ? looksOn : ownLookAt(position));
  };

/** Drops the tickets; a recheck then releases what the target holds. */
export const leaveQueues =
  <K extends PlacedKind>({ demandOf }: Capacity<K>) =>
  async (target: ObjectOf[K], context: StepContext<ObjectOf[K]>): Promise<void> => {
    const { deps, operation } = context;
    // Only a do takes tickets, and the fence stops every do from here on.
    await underFence(context, await dropTickets(deps.store, demandOf(target).queues, operation));
  };
