import { timestamp } from "../../clock.ts";
import type { Deps } from "../deps.ts";
import { switchKey } from "../object/keys.ts";
import type { Store } from "../store/store.ts";

/**
 * Switches of a whole deployment: `removal` pauses the removal of orphans, `intake` the requests of tenants. Each
 * switch is an item of the table, so that the switches of a restored table can be set before anything runs on it.
 */
export const switches = ["removal", "intake"] as const;
export type SwitchName = (typeof switches)[number];

export interface Switch {
  paused: boolean;
  /** When the switch was last set, and by whom; absent until then. */
  at?: string;
  by?: string;
}

/** Reads a switch, strongly consistent. */
export async function readSwitch(store: Store, name: SwitchName): Promise<Switch> {
  const item = await store.get(switchKey(name));
  if (!item) return { paused: false };
  const { paused, at, by } = item;
  // A switch set by hand in a restored table may have nothing but its state.
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
