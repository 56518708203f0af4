import type { ObjectOf } from "../../kernel/object/object-of.ts";

/** Placement's rules about a hub. Pure. */

/** A stored hub. */
export type Hub = ObjectOf["hub"];
type HubSpec = Hub["spec"];

/** Members that placement needs and OSAC's clients do not send. */
const needed = ["base_domain", "capacity", "region"] as const;
type Needed = (typeof needed)[number];

/** Members that only control planes need. */
const neededForSlots: readonly Needed[] = ["base_domain", "capacity"];

/** The settings that a hub still lacks for orders; orders without a slot need fewer. */
export const lackingIn = (spec: Pick<HubSpec, Needed>, slot = true): Needed[] =>
  needed.filter(
    (member) => spec[member] === undefined && (slot || !neededForSlots.includes(member)),
  );

type Direction = NonNullable<Hub["status"]["conditions"]>[number]["type"];
const isFalse = ({ status }: Pick<Hub, "status">, direction: Direction): boolean =>
  status.conditions?.find(({ type }) => type === direction)?.status === "CONDITION_STATUS_FALSE";

/** Whether a hub is known to be unreachable; such a hub takes no new orders. */
export const isUnreached = (hub: Pick<Hub, "status">): boolean =>
  isFalse(hub, "HUB_CONDITION_TYPE_REACHED");

/** Whether a sweep has found that the hub's agent does not report. */
const isSilent = (hub: Pick<Hub, "status">): boolean => isFalse(hub, "HUB_CONDITION_TYPE_HEARD");

/** Whether a hub takes new orders, according to its record; a plan also checks its last heartbeat. */
export const takesOrders = (hub: Hub, slot = true): boolean =>
  hub.metadata.deletion_timestamp === undefined &&
  lackingIn(hub.spec, slot).length === 0 &&
  hub.spec.cordoned !== true &&
  !isUnreached(hub) &&
  !isSilent(hub);

/** A hub whose agent has not reported for this long takes no new orders. */
export const heartbeatTimeout = 10 * 60_000;
