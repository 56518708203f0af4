import { timestamp } from "../clock.ts";
import type { Deps } from "../deps.ts";
import { removalKey } from "../store/keys.ts";
import type { Store } from "../store/store.ts";

/**
 * The switch that stops every removal of what has no owner. It is an item of the table, so whoever
 * restores a table from a backup sets it there before anything is started on it.
 */
export interface RemovalSwitch {
  paused: boolean;
  /** When it was last set, and by whom; absent as long as nobody has. */
  at?: string;
  by?: string;
}

/** Strongly consistent. */
export async function removalSwitch(store: Store): Promise<RemovalSwitch> {
  const item = await store.get(removalKey);
  if (!item) return { paused: false };
  const { paused, at, by } = item;
  // What somebody has put there by hand, in a restored table, may say no more than that.
  return {
    paused: paused !== false,
    ...(typeof at === "string" && { at }),
    ...(typeof by === "string" && { by }),
  };
}

export async function setRemovalSwitch(
  { store, clock }: Pick<Deps, "store" | "clock">,
  paused: boolean,
  by: string,
): Promise<RemovalSwitch> {
  const set = { paused, at: timestamp(clock.now()), by };
  await store.transact([{ put: { ...removalKey, ...set } }]);
  return set;
}
