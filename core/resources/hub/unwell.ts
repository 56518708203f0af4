import { type Hub, type hubStates, unobservedSince } from "./model.ts";
import { hubStatusShown } from "./shown.ts";

/** The hubs that may need an operator. */

type Ready = "READY";
export type Unwell = Exclude<(typeof hubStates)[number], Ready> | "UNOBSERVED" | "CORDONED";

/** Hubs that take no orders come before hubs that do. */
export const worstFirst: readonly Unwell[] = [
  "UNREACHABLE",
  "PENDING",
  "INCOMPLETE",
  "CORDONED",
  "UNOBSERVED",
];

/**
 * The fault of a hub. The state of a hub that takes no orders comes before its cordon; then comes a
 * hub that takes orders and whose agent does not watch every kind. Undefined for a healthy hub.
 */
export function unwellAs(hub: Pick<Hub, "spec" | "status">): Unwell | undefined {
  const { state } = hubStatusShown(hub);
  if (state === "HUB_STATE_READY") {
    if (hub.spec.cordoned) return "CORDONED";
    return unobservedSince(hub) === undefined ? undefined : "UNOBSERVED";
  }
  // The prefix belongs to the state, so the rest is one of the names.
  return state.slice("HUB_STATE_".length) as Exclude<Unwell, "UNOBSERVED" | "CORDONED">;
}
