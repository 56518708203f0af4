import type { Hub, hubStates } from "./model.ts";
import { hubStatusShown } from "./shown.ts";

/** The hubs that somebody may have to look at. */

type Ready = "READY";
export type Unwell = Exclude<(typeof hubStates)[number], Ready> | "CORDONED";

/** What a hub is that takes no new orders, its state before its cordon; undefined for one that takes them. */
export function unwellAs(hub: Pick<Hub, "spec" | "status">): Unwell | undefined {
  const { state } = hubStatusShown(hub);
  if (state === "HUB_STATE_READY") return hub.spec.cordoned ? "CORDONED" : undefined;
  // The prefix is the state's own, so the rest is one of the names.
  return state.slice("HUB_STATE_".length) as Exclude<Unwell, "CORDONED">;
}
