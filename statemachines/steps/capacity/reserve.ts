import { seconds } from "../../../core/clock.ts";
import { dropTicket } from "../../../core/kernel/claim/ticket.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import type { Placed, PlacedKind } from "../../../core/kernel/object/traits.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { entryOf, isCurrent } from "../../../core/kernel/saga/entry.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { edit } from "../../../core/kernel/saga/settle.ts";
import { type Demand, lackingHosts, type Placing } from "../../../core/placement/demand.ts";
import { reserve } from "../../../core/placement/reserve.ts";
import { underFence } from "../under-fence.ts";

/** How often a waiting order is rechecked if nothing wakes it. */
export const ownLook = seconds(300);

/** The demand of a target, and how its record gets the placement. */
export interface Capacity<K extends PlacedKind> extends Placing<K> {
  demandOf(target: ObjectOf[K]): Demand;
}

/**
 * Claims what the target lacks, or takes tickets. Writes down why this hub was chosen, or what the
 * operation waits for.
 */
export const reserveCapacity =
  <K extends PlacedKind>({ demandOf, ...placing }: Capacity<K>) =>
  async ({ id }: ObjectOf[K], context: StepContext<ObjectOf[K]>): Promise<void> => {
    const { deps, operation } = context;
    const reservation = await reserve(deps, {
      ...placing,
      id,
      demand: demandOf,
      operation,
      step: context.step,
      fence: context.fence(),
    });
    const reason = reservation.placed ? reservation.reason : `waits for ${reservation.waitingFor}`;
    const position = reservation.placed ? undefined : reservation.position;
    const { attempt = "" } = entryOf(operation, context.step);
    await edit(deps, operation.id, (current) =>
      // A newer attempt may have been placed meanwhile.
      isCurrent(entryOf(current, context.step), attempt)
        ? {
            ...current,
            placement: {
              reason,
              rejected: reservation.rejected.slice(0, 20),
              ...(position === undefined ? {} : { position }),
            },
          }
        : undefined,
    );
  };

export const capacityReserved =
  <K extends PlacedKind>({ demandOf }: Capacity<K>) =>
  (target: ObjectOf[K], { operation }: Context): Outcome => {
    const { placement }: Placed = target;
    if (placement && lackingHosts(demandOf(target).wants, placement).size === 0) return done;
    return pending(operation.placement?.reason ?? "waits for capacity", ownLook);
  };

/** Drops the tickets; a recheck then releases what the target holds. */
export const leaveQueues =
  <K extends PlacedKind>({ demandOf }: Capacity<K>) =>
  async (target: ObjectOf[K], context: StepContext<ObjectOf[K]>): Promise<void> => {
    const { operation } = context;
    const { queues } = demandOf(target);
    await underFence(
      context,
      queues.map((name) => dropTicket(name, operation)),
    );
  };
