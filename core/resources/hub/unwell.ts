import { type Hub, type hubStates, unobservedSince } from "./model.ts";
import { hubStatusShown } from "./shown.ts";

/** The hubs that somebody may have to look at. */

type Ready = "READY";
export type Unwell = Exclude<(typeof hubStates)[number], Ready> | "UNOBSERVED" | "CORDONED";

/**
 * What a hub is that takes no new orders, its state before its cordon, or whose agent does not watch every kind;
 * undefined for a well one.
 */
export function unwellAs(hub: Pick<Hub, "spec" | "status">): Unwell | undefined {
  const { state } = hubStatusShown(hub);
  if (state === "HUB_STATE_READY") {
    if (unobservedSince(hub) !== undefined) return "UNOBSERVED";
    return hub.spec.cordoned ? "CORDONED" : undefined;
  }
  // The prefix is the state's own, so the rest is one of the names.
  return state.slice("HUB_STATE_".length) as Exclude<Unwell, "UNOBSERVED" | "CORDONED">;
}
