import { timestamp } from "../clock.ts";
import type { Deps } from "../kernel/deps.ts";
import { sweepKey, sweepPartition, sweepPartitions } from "../kernel/object/hub-keys.ts";
import { shardOf } from "../kernel/object/key-parts.ts";
import { readSwitch } from "../kernel/request/maintenance-switch.ts";
import { isWritten } from "../kernel/store/optimistically.ts";
import { everyItem } from "../kernel/store/pages.ts";
import { exists, type Item, type Json, type Write } from "../kernel/store/store.ts";

/**
 * The times of the next sweeps of hubs and sites. Each sweep of a place is an item in an index by its time,
 * so that a round of sweeps reads only what is due. A sweep that leaves no work moves its time forward; after
 * any other sweep the place stays due, and the next round sweeps it again.
 */

/**
 * `objects` reads the objects on a hub, `parts` checks the parts at a site of a hub's objects, `orphans`
 * searches for things without an owner.
 */
export type SweepName = "objects" | "parts" | "orphans";

/** A hub or a site. */
export interface SweptPlace {
  kind: "hub" | "site";
  id: string;
}

/** Schedules a place's sweep for this time (ms). */
export function sweptFrom(sweep: SweepName, { kind, id }: SweptPlace, time: number): Write {
  return { put: { ...sweepKey(sweep, kind, id), kind, id, ...placed(sweep, id, time) } };
}

/** Ends the sweeps of a place. */
export const neverSwept = (sweep: SweepName, { kind, id }: SweptPlace): Write => ({
  delete: sweepKey(sweep, kind, id),
});

/**
 * Moves the time of a place's next sweep, and stores `more` with it. Answers false for a place that was
 * deleted meanwhile.
 */
export async function sweepNext(
  { store }: Pick<Deps, "store">,
  sweep: SweepName,
  { kind, id }: SweptPlace,
  time: number,
  more: Record<string, Json> = {},
): Promise<boolean> {
  const set = { ...more, ...placed(sweep, id, time) };
  return isWritten(store, [{ update: sweepKey(sweep, kind, id), set, if: exists }]);
}

/**
 * The places that are due for a sweep now, the longest due first in each shard. While intake is
 * paused, all places are due, so that a restored table soon has the missed changes.
 */
export async function dueFor(
  { store, clock }: Pick<Deps, "store" | "clock">,
  sweep: SweepName,
): Promise<SweptPlace[]> {
  const { paused } = await readSwitch(store, "intake");
  const range = paused ? {} : { to: dueAt(clock.now(), "~") };
  const found: SweptPlace[] = [];
  for (const pk of sweepPartitions(sweep))
    found.push(...(await everyItem(store, { index: "g2", pk, range })).map(placeIn));
  return found;
}

/**
 * The time of a place's next sweep when nothing is left to do: up to a tenth sooner, by its id, so that the
 * places spread out.
 */
export const quietUntil = ({ clock }: Pick<Deps, "clock">, id: string, pause: number): number =>
  clock.now() + pause - (pause / 1000) * shardOf(id, 100);

const placed = (sweep: SweepName, id: string, time: number) => ({
  g2pk: sweepPartition(sweep, id),
  g2sk: dueAt(time, id),
});

const dueAt = (time: number, id: string): string => `${timestamp(time)}#${id}`;

/** Only this module writes such items, so the cast is safe. */
const placeIn = ({ kind, id }: Item): SweptPlace => ({
  kind: kind as SweptPlace["kind"],
  id: String(id),
});
