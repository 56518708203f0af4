import { seconds } from "../../clock.ts";
import { logged } from "../../error.ts";
import { claimSlot, firstFree, releaseSlot, slotsHeld } from "../claim/slot.ts";
import { workerSlotKey, workerSlotPartition } from "../object/keys.ts";
import type { WorkerDeps } from "./context.ts";

/** Slots of a zone's workers. */

/** A holder of slots, and its limit. */
export interface SlotHolder {
  name: string;
  slots: number;
}

export interface Slot {
  holder: string;
  number: number;
}

/** How long a slot is kept after a run's time limit, in case the process dies. */
const margin = seconds(2);

type SlotDeps = Pick<WorkerDeps, "store" | "wall" | "workerTimeout" | "log">;

/**
 * Claims a slot for a run. Answers `full` if none is free. Answers undefined if the store fails, because that must not
 * stop the run.
 */
export async function claimWorkerSlot(
  deps: SlotDeps,
  run: string,
  holderOf: () => Promise<SlotHolder>,
): Promise<Slot | "full" | undefined> {
  const { store, wall, workerTimeout, log } = deps;
  try {
    const holder = await holderOf();
    // A refusal means that another run has taken the slot.
    for (let tried = 0; tried <= holder.slots; tried++) {
      const now = wall.now();
      const held = await slotsHeld(store, workerSlotPartition(holder.name), now);
      const number = firstFree(held.map(({ number }) => Number(number)));
      if (number >= holder.slots) return "full";
      const slot = { holder: holder.name, number };
      const until = now + workerTimeout + margin;
      const claim = { token: run, now, until };
      if (await claimSlot(store, keyOf(slot), claim, { number })) return slot;
    }
  } catch (thrown) {
    log.warn({ run, ...logged(thrown) }, "a slot of a worker was not claimed");
  }
  return undefined;
}

/** Releases the slots of a run. */
export async function releaseWorkerSlots(
  { store }: SlotDeps,
  run: string,
  slots: Slot[],
): Promise<void> {
  for (const slot of slots) await releaseSlot(store, keyOf(slot), run);
}

const keyOf = ({ holder, number }: Slot) => workerSlotKey(holder, number);
