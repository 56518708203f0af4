import { type Hub, type hubStates, unobservedSince } from "./model.ts";
import { hubStatusShown } from "./shown.ts";

/** The hubs that somebody may have to look at. */

type Ready = "READY";
export type Unwell = Exclude<(typeof hubStates)[number], Ready> | "UNOBSERVED" | "CORDONED";

/** What takes no orders before what does. */
export const worstFirst: readonly Unwell[] = [
  "UNREACHABLE",
  "PENDING",
  "INCOMPLETE",
  "CORDONED",
  "UNOBSERVED",
];

/**
 * What a hub is that takes no new orders, its state before its cordon, or that takes them and whose agent does not
 * watch every kind; undefined for a well one.
 */
export function unwellAs(hub: Pick<Hub, "spec" | "status">): Unwell | undefined {
  const { state } = hubStatusShown(hub);
  if (state === "HUB_STATE_READY") {
    if (hub.spec.cordoned) return "CORDONED";
    return unobservedSince(hub) === undefined ? undefined : "UNOBSERVED";
  }
  // The prefix is the state's own, so the rest is one of the names.
  return state.slice("HUB_STATE_".length) as Exclude<Unwell, "UNOBSERVED" | "CORDONED">;
}
