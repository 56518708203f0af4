import type { ObjectOf } from "../kernel/object/object-of.ts";

/** What placement asks of a hub. Pure. */

/** A hub, as it is stored. */
export type Hub = ObjectOf["hub"];
type HubSpec = Hub["spec"];

/** What OSAC's clients do not say, and no order can be placed without. */
const needed = ["base_domain", "capacity", "region"] as const;
type Needed = (typeof needed)[number];

/** What a hub lacks before it gets orders. */
export const lackingIn = (spec: Pick<HubSpec, Needed>): Needed[] =>
  needed.filter((member) => spec[member] === undefined);

/** A hub that Slipway is known not to reach takes no new orders. */
export const isUnreached = (hub: Pick<Hub, "status">): boolean =>
  hub.status.conditions?.find(({ type }) => type === "HUB_CONDITION_TYPE_REACHED")?.status ===
  "CONDITION_STATUS_FALSE";

/** A hub whose agent has not reported for this long takes no new orders. */
export const heartbeatTimeout = 10 * 60_000;
