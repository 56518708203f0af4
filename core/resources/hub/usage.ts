import type { Deps } from "../../kernel/deps.ts";
import {
  freeHostsKey,
  heartbeatKey,
  hostsKey,
  reachKey,
  slotsKey,
} from "../../kernel/object/hub-keys.ts";
import type { Item, Key, Store } from "../../kernel/store/store.ts";
import { hubUseKey, type Trend, trendsOf, type Use } from "../../placement/capacity/trend.ts";
import type { Counters } from "../../placement/hubs/room.ts";
import { hostCounts, slotsUsed } from "../../placement/pool/host-counts.ts";
import { reservedCounts, reservedOf } from "../../placement/pool/reserved.ts";
import type { Hub } from "./model.ts";

/** The capacity of hubs and its use, from the counters that claims maintain. */

export interface HostUsage extends Trend {
  total: number;
  /** Hosts in the pool that an order could claim now. */
  free: number;
  /** Claimed by clusters. */
  reserved: number;
  /** Free hosts that allocations reserve for tenants. */
  kept: number;
  /** All others: reclaimed, out of service, or not discovered. */
  unavailable: number;
}

export interface HubUsage {
  control_planes: { total: number; used: number; free: number } & Trend;
  hosts: ({ host_type: string } & HostUsage)[];
}

/** The last success in each direction; absent if there was none. */
export interface LastSeen {
  last_heard_time?: string;
  agent_version?: string;
  last_reached_time?: string;
  /** The beginning of the last error of a call to the hub. */
  last_error?: { time: string; message: string };
}

/** The use of each hub's control planes and hosts, in the order of the hubs. */
export const usesOfHubs = (hubs: readonly Hub[], usages: readonly HubUsage[]): Use[] =>
  usages.map(({ control_planes: { used }, hosts }, n) => ({
    key: useKeyOf(hubs[n]),
    used,
    hosts: Object.fromEntries(hosts.map(({ host_type, reserved }) => [host_type, reserved])),
  }));

const useKeyOf = (hub: Hub | undefined): Key => hubUseKey(hub?.id ?? "");

/** The usage of each hub with its trend, in the order of the hubs. */
export async function usageWithTrends(
  deps: Pick<Deps, "store" | "clock">,
  hubs: readonly Hub[],
): Promise<HubUsage[]> {
  const [usages, trendOf] = await Promise.all([
    usageOfHubs(deps.store, hubs),
    trendsOf(deps, hubs.map(useKeyOf)),
  ]);
  return usages.map(({ control_planes, hosts }, n) => {
    const key = useKeyOf(hubs[n]);
    return {
      control_planes: { ...control_planes, ...trendOf(key, control_planes) },
      hosts: hosts.map((each) => {
        const { reserved: used, free, host_type } = each;
        return { ...each, ...trendOf(key, { used, free }, host_type) };
      }),
    };
  });
}

/** The usage of each hub, in the order of the hubs. */
export async function usageOfHubs(store: Store, hubs: readonly Hub[]): Promise<HubUsage[]> {
  const counters = await countersOf(
    store,
    hubs.map(({ id }) => id),
  );
  return hubs.map((hub, n) => usageIn(hub, counters[n]));
}

/** The counters of the hubs of these ids, in their order. */
export async function countersOf(store: Store, ids: readonly string[]): Promise<Counters[]> {
  const keys = ids.flatMap((id) => [slotsKey(id), hostsKey(id), freeHostsKey(id)]);
  const items = await store.getMany(keys);
  return ids.map((_, n) => {
    const [slots, hosts, free] = items.slice(3 * n);
    return { slots, hosts, free };
  });
}

/** The usage of a hub in its counters. */
export function usageIn({ spec: { capacity = 0 } }: Hub, counters?: Counters): HubUsage {
  const used = slotsUsed(counters?.slots);
  return {
    control_planes: { total: capacity, used, free: Math.max(0, capacity - used) },
    hosts: hostsIn(counters?.hosts, counters?.free),
  };
}

function hostsIn(hosts: Item | undefined, pool: Item | undefined): HubUsage["hosts"] {
  const [free, held] = [hostCounts(pool), hostCounts(pool, "held")];
  const keptHere = reservedCounts(hosts);
  return Object.entries(hostCounts(hosts))
    .filter(([, total]) => total > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([host_type, total]) => {
      const [idle = 0, reserved = 0] = [free[host_type], held[host_type]];
      const kept = reservedOf(keptHere, host_type);
      const unavailable = total - idle - reserved - kept;
      return { host_type, total, free: idle, reserved, kept, unavailable };
    });
}

/** The times of the last report and the last successful call of the hubs of these ids, in their order. */
export async function lastSeenOf(store: Store, ids: readonly string[]): Promise<LastSeen[]> {
  const items = await store.getMany(ids.flatMap((id) => [heartbeatKey(id), reachKey(id)]));
  return ids.map((_, n) => {
    const [heartbeat, reach] = items.slice(2 * n);
    return {
      ...textOf("last_heard_time", heartbeat?.at),
      ...textOf("agent_version", heartbeat?.version),
      ...textOf("last_reached_time", reach?.at),
      ...errorIn(reach),
    };
  });
}

function errorIn(reach: Item | undefined): LastSeen {
  const [time, message] = [reach?.failed_at, reach?.error];
  return typeof time === "string" && typeof message === "string"
    ? { last_error: { time, message } }
    : {};
}

const textOf = (name: Exclude<keyof LastSeen, "last_error">, value: unknown): LastSeen =>
  typeof value === "string" ? { [name]: value } : {};
