import { isDeepStrictEqual } from "node:util";
import type { Deps } from "../../kernel/deps.ts";
import { freeHostsKey } from "../../kernel/object/hub-keys.ts";
import { objectKey, ticketPartition, ticketQueue } from "../../kernel/object/keys.ts";
import { isOfObject, load, objectIn } from "../../kernel/object/records.ts";
import { oncePerCounter } from "../../kernel/store/once-per-counter.ts";
import { isWritten } from "../../kernel/store/optimistically.ts";
import {
  any,
  eq,
  type Item,
  type Key,
  lacks,
  type StreamRecord,
  type Write,
} from "../../kernel/store/store.ts";
import { type Standby, standbyHosts, standbyOf } from "../../placement/hot-pools/standby.ts";
import { findFree, ownerIn, type PoolPlace } from "../../placement/pool/entries.ts";
import { hostOwnerOf } from "../../placement/pool/host.ts";
import { counterName, hostCounts } from "../../placement/pool/host-counts.ts";
import { hostQueue, ticketIn } from "../../placement/queues/tickets.ts";
import { careForHost, creator, placesOf, startWrites } from "./care.ts";
import { serverOf } from "./server.ts";

/**
 * The hot pool: the free hosts of a type that a hub keeps discovered. The decisions depend only on counters and
 * on tickets of waiting orders, so they can be made at any time.
 */

type PoolDeps = Pick<Deps, "store" | "kinds" | "clock" | "newId" | "random">;

/** The numbers of a hot pool. */
export interface HotPool {
  min: number;
  max: number;
  free: number;
  coming: number;
  /** Hosts under discovery for so long that the pool no longer counts on them. */
  late: number;
  idle: number;
  /** The hosts that waiting orders demand here. */
  demand: number;
}

/** Reads a hot pool; undefined if the hub has none of the type. */
async function hotPoolAt(
  { store, kinds }: Pick<Deps, "store" | "kinds">,
  { hub: id, hostType }: PoolPlace,
): Promise<HotPool | undefined> {
  const [hub, counters] = await store.getMany([objectKey("hub", id), freeHostsKey(id)]);
  const bounds = hub && objectIn<"hub">(kinds, hub).spec.hot_pools?.[hostType];
  if (!bounds) return undefined;
  const count = (name: "type" | Standby) => hostCounts(counters, name)[hostType] ?? 0;
  const demand = await demandAt({ store }, { hub: id, hostType });
  const behind = { coming: count("coming"), late: count("late"), idle: count("idle") };
  return { ...bounds, free: count("type"), ...behind, demand };
}

/** Orders behind these are not counted; the pool grows for them when the first ones are served. */
const ticketsCounted = 100;

async function demandAt({ store }: Pick<Deps, "store">, place: PoolPlace): Promise<number> {
  const pk = ticketPartition(hostQueue(place.hostType));
  const { items } = await store.query({ pk, limit: ticketsCounted });
  return items
    .map((item) => ticketIn(item).raises)
    .reduce(
      (sum, raises) => sum + (raises?.hub === place.hub ? (raises.hosts[place.hostType] ?? 0) : 0),
      0,
    );
}

/** The number of hosts to have free or under discovery. Pure. */
const wantedIn = ({ min, max, demand }: HotPool): number =>
  demand === 0 ? min : Math.max(demand, Math.min(demand + min, max));

/**
 * The number of hosts to discover or, below zero, to switch off. Late hosts are replaced: the first ones all at
 * once, then one at a time, because one cause may delay all. Pure.
 */
export function changeOf(pool: HotPool): number {
  const { max, free, coming, late, idle, demand } = pool;
  const wanted = wantedIn(pool);
  const missing = wanted - free - coming;
  const oneAtATime = coming === 0 ? 1 : 0;
  if (missing > 0) return Math.min(missing, idle, Math.max(oneAtATime, wanted + missing - late));
  return demand === 0 && free > max ? max - free : 0;
}

/** Starts the operations that bring a hot pool within its bounds; returns its state after that. */
export async function tendHotPool(deps: PoolDeps, place: PoolPlace): Promise<HotPool | undefined> {
  for (;;) {
    const pool = await hotPoolAt(deps, place);
    const change = pool ? changeOf(pool) : 0;
    if (!pool || change === 0) return pool;
    const isDone =
      change > 0 ? await discoverOne(deps, place, pool) : await restOne(deps, place, pool);
    // No host is left to start; the counters will soon show that.
    if (!isDone) return pool;
  }
}

/**
 * A listener of the relay: adjusts the pools of a hub whose hot pools change, and the pool of an order that no
 * longer waits, since too many hosts may be discovered for it. When a pool is removed, its hosts that are off
 * are discovered, because without a pool all free hosts are.
 */
export async function followHotPools(
  deps: PoolDeps,
  { key, before, after }: Pick<StreamRecord, "key" | "before" | "after">,
): Promise<void> {
  const left = before && placeRaised(key, before);
  if (left && left.hub !== (after && placeRaised(key, after))?.hub) await tendHotPool(deps, left);
  const hub = hubIn(deps, after);
  const pools = hub?.spec.hot_pools ?? {};
  const former = hubIn(deps, before)?.spec.hot_pools ?? {};
  if (!hub || isDeepStrictEqual(pools, former)) return;
  for (const hostType of Object.keys({ ...former, ...pools })) {
    const place = { hub: hub.id, hostType };
    if (pools[hostType]) await tendHotPool(deps, place);
    else
      for await (const id of standbyHosts(deps.store, place, "idle", deps.random))
        await careForHost(deps, id);
  }
}

/** The pool that discovers hosts for a waiting order. */
function placeRaised({ pk }: Key, item: Item): PoolPlace | undefined {
  const queueName = ticketQueue(pk);
  if (queueName === undefined) return undefined;
  const { raises } = ticketIn(item);
  const hostType = Object.keys(raises?.hosts ?? {}).find((type) => hostQueue(type) === queueName);
  return raises && hostType !== undefined ? { hub: raises.hub, hostType } : undefined;
}

function hubIn({ kinds }: Pick<Deps, "kinds">, item: Item | undefined) {
  const object = item && isOfObject(item) ? objectIn(kinds, item) : undefined;
  return object?.kind === "hub" ? object : undefined;
}

/** Starts the discovery of one server unless another start was first; false if no server is left. */
async function discoverOne(
  deps: PoolDeps,
  place: PoolPlace,
  { coming }: HotPool,
): Promise<boolean> {
  for await (const id of standbyHosts(deps.store, place, "idle", deps.random)) {
    const host = await load(deps, "host", id);
    if (!host || standbyOf(host) !== "idle" || hostOwnerOf(host)) continue;
    const places = await placesOf(deps, host);
    if (ownerIn(places.entry)) continue;
    const { writes } = startWrites(deps, host, places, { work: "discover", by: creator });
    await isWritten(deps.store, counting(writes, place, "coming", coming));
    return true;
  }
  return false;
}

/** Switches off one free host unless the pool changed meanwhile; false if there is none. */
async function restOne(deps: PoolDeps, place: PoolPlace, { free }: HotPool): Promise<boolean> {
  const [found] = await findFree(deps.store, place, 1, new Set(), deps.random);
  const host = found && (await load(deps, "host", found.id));
  // Another operation may have started on it since the query.
  if (!host || host.operation || serverOf(host).condition !== "READY") return false;
  const { writes } = startWrites(deps, host, await placesOf(deps, host), {
    work: "switch_off",
    by: creator,
  });
  await isWritten(deps.store, counting(writes, place, "type", free));
  return true;
}

/**
 * The writes, on the condition that this counter of the pool has not changed: otherwise two starts could fill
 * the same gap.
 */
function counting(
  writes: Write[],
  { hub, hostType }: PoolPlace,
  count: "coming" | "type",
  known: number,
): Write[] {
  const name = counterName(count, hostType);
  const isSame = known === 0 ? any(lacks(name), eq(name, 0)) : eq(name, known);
  const { pk } = freeHostsKey(hub);
  return oncePerCounter(writes).map((write) =>
    "update" in write && write.update.pk === pk ? { ...write, if: isSame } : write,
  );
}

/** The estimated time (ms) at which a host under discovery becomes free; undefined if there is none. */
export async function nextFrom(deps: PoolDeps, place: PoolPlace): Promise<number | undefined> {
  for await (const id of standbyHosts(deps.store, place, "coming", deps.random)) {
    const operation = (await load(deps, "host", id))?.operation;
    const estimate = operation && (await load(deps, "operation", operation))?.estimate;
    if (estimate) return Date.parse(estimate);
  }
  return undefined;
}
