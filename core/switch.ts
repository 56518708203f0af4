import { timestamp } from "./clock.ts";
import type { Deps } from "./deps.ts";
import { switchKey } from "./kernel/object/keys.ts";
import type { Store } from "./kernel/store/store.ts";

/**
 * What can be paused for a whole deployment: the removal of what has no owner, and the intake of what
 * tenants ask for. Each switch is an item of the table, so whoever restores a table from a backup sets
 * it there before anything is started on it.
 */
export const switches = ["removal", "intake"] as const;
export type SwitchName = (typeof switches)[number];

export interface Switch {
  paused: boolean;
  /** When it was last set, and by whom; absent as long as nobody has. */
  at?: string;
  by?: string;
}

/** Strongly consistent. */
export async function readSwitch(store: Store, name: SwitchName): Promise<Switch> {
  const item = await store.get(switchKey(name));
  if (!item) return { paused: false };
  const { paused, at, by } = item;
  // What somebody has put there by hand, in a restored table, may say no more than that.
  return {
    paused: paused !== false,
    ...(typeof at === "string" && { at }),
    ...(typeof by === "string" && { by }),
  };
}

export async function setSwitch(
  { store, clock }: Pick<Deps, "store" | "clock">,
  name: SwitchName,
  paused: boolean,
  by: string,
): Promise<Switch> {
  const set = { paused, at: timestamp(clock.now()), by };
  await store.transact([{ put: { ...switchKey(name), ...set } }]);
  return set;
}
