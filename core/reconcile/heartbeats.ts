import type { Deps } from "../kernel/deps.ts";
import { heartbeatKey, heartbeatPartitions } from "../kernel/object/hub-keys.ts";
import { everyItem } from "../kernel/store/pages.ts";
import type { Item } from "../kernel/store/store.ts";
import { heartbeatTimeout } from "../placement/hubs/hub.ts";

/** What is known of a hub's agent. */
export interface Heartbeat {
  hub: string;
  /** When it last reported (ms); absent if it never did. */
  at?: number;
  /** When its hub was registered (ms); absent once it has reported. */
  since?: number;
  /** Whether it said last that it cannot watch every kind. */
  isUnobserved: boolean;
}

/** The heartbeats of all hubs. Ten thousand are some 250 read units, as they lie together. */
export async function heartbeatsOf({ store }: Pick<Deps, "store">): Promise<Heartbeat[]> {
  const found: Heartbeat[] = [];
  for (const pk of heartbeatPartitions())
    found.push(...(await everyItem(store, { pk })).map(heartbeatIn));
  return found;
}

/** Whether an agent has reported and does not any more. */
export const isSilentAt = ({ at }: Pick<Heartbeat, "at">, now: number): boolean =>
  at !== undefined && now - at > heartbeatTimeout;

/** Whether a hub's agent reports now, and of every kind, so that nothing has to be read there to have its reports. */
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
