import type { Deps } from "../kernel/deps.ts";
import { heartbeatKey, heartbeatPartitions } from "../kernel/object/hub-keys.ts";
import { everyItem } from "../kernel/store/pages.ts";
import type { Item } from "../kernel/store/store.ts";
import { heartbeatTimeout } from "../placement/hubs/hub.ts";

/** The facts about a hub's agent. */
export interface Heartbeat {
  hub: string;
  /** When it last reported (ms); absent if it never did. */
  at?: number;
  /** When its hub was registered (ms); absent once it has reported. */
  since?: number;
  /** Whether it last reported that it cannot watch every kind. */
  isUnobserved: boolean;
}

/** The heartbeats of all hubs. Ten thousand cost some 250 read units, as they share partitions. */
export async function heartbeatsOf({ store }: Pick<Deps, "store">): Promise<Heartbeat[]> {
  const found: Heartbeat[] = [];
  for (const pk of heartbeatPartitions())
    found.push(...(await everyItem(store, { pk })).map(heartbeatIn));
  return found;
}

/** Whether an agent has reported, but not recently. */
export const isSilentAt = ({ at }: Pick<Heartbeat, "at">, now: number): boolean =>
  at !== undefined && now - at > heartbeatTimeout;

/** Whether a hub's agent reports now, and on every kind, so that its objects need not be read directly. */
export async function isReporting(
  { store, clock }: Pick<Deps, "store" | "clock">,
  hub: string,
): Promise<boolean> {
  const item = await store.get(heartbeatKey(hub));
  if (!item) return false;
  const heartbeat = heartbeatIn(item);
  return (
    heartbeat.at !== undefined && !isSilentAt(heartbeat, clock.now()) && !heartbeat.isUnobserved
  );
}

const heartbeatIn = ({ sk, at, since, is_unobserved }: Item): Heartbeat => ({
  hub: sk,
  isUnobserved: is_unobserved === true,
  ...(typeof at === "string" && { at: Date.parse(at) }),
  ...(typeof since === "string" && { since: Date.parse(since) }),
});
