import { timestamp } from "../../clock.ts";
import type { Deps } from "../deps.ts";
import { shardOf } from "../object/key-parts.ts";
import { dueShards, isTimer, timerPartition } from "../object/keys.ts";
import type { Kind } from "../object/object.ts";
import { pagesIn } from "../store/pages.ts";
import { type StreamRecord, transactionLimit, type Write } from "../store/store.ts";
import { reactionOf } from "./reaction.ts";
import type { Relaying } from "./relay.ts";

/**
 * Timers: a kind's reaction is called for an object at a given time. A timer is an item, sorted by its time. The sweep
 * of due operations deletes it within a minute of that time, and the relay reacts to the deletion. The reason for a
 * timer may be gone by then: the reaction checks the object as it is.
 */

/** The write of a timer: the kind's reaction is called for this object at this time (ms). */
export function timerAt(time: number, { kind, id }: { kind: Kind; id: string }): Write {
  const pk = timerPartition(shardOf(id, dueShards));
  return { put: { pk, sk: `${timestamp(time)}#${kind}#${id}`, kind, id } };
}

/** Deletes the timers of a shard whose time has come. */
export async function endTimers(
  { store, clock }: Pick<Deps, "store" | "clock">,
  shard: number,
): Promise<void> {
  const due = { pk: timerPartition(shard), range: { to: `${timestamp(clock.now())}#~` } };
  for await (const items of pagesIn(store, due))
    for (let from = 0; from < items.length; from += transactionLimit) {
      const ended = items.slice(from, from + transactionLimit);
      await store.transact(ended.map(({ pk, sk }) => ({ delete: { pk, sk } })));
    }
}

/** A listener of the relay: a deleted timer has expired. */
export async function followTimers(
  deps: Relaying,
  { key, before, after }: StreamRecord,
): Promise<void> {
  if (!isTimer(key) || !before || after) return;
  // Only `timerAt` writes such items.
  const { kind, id } = before as { kind: Kind; id: string } & typeof before;
  await reactionOf(deps.reactions, kind)?.timeCame?.(deps, id);
}
