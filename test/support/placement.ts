import { timestamp } from "../../core/clock.ts";
import { asHostId, asHubId, type OperationId } from "../../core/id.ts";
import { asNew } from "../../core/kernel/events/rewrite.ts";
import {
  heartbeatKey,
  poolPartition,
  poolShards,
  slotsKey,
} from "../../core/kernel/object/hub-keys.ts";
import { macKey } from "../../core/kernel/object/keys.ts";
import { mustLoad, putNew } from "../../core/kernel/object/records.ts";
import type { StepDeps } from "../../core/kernel/saga/context.ts";
import { stepContext } from "../../core/kernel/saga/context.ts";
import { newEntry } from "../../core/kernel/saga/entry.ts";
import { newOperation } from "../../core/kernel/saga/new-operation.ts";
import type { Operation } from "../../core/kernel/saga/operation.ts";
import type { Item, Store, Write } from "../../core/kernel/store/store.ts";
import type { Demand } from "../../core/placement/choose/demand.ts";
import { admitHost } from "../../core/placement/pool/entries.ts";
import { countFree, countHost } from "../../core/placement/pool/host-counts.ts";
import { release } from "../../core/placement/reserve/release.ts";
import { type ReserveOutcome, reserve } from "../../core/placement/reserve/reserve.ts";
import { secretReference } from "../../core/ports/secrets/secrets.ts";
import { sweptFrom } from "../../core/ports/sweep-times.ts";
import { clusterPlacing, demandFor } from "../../core/resources/cluster/demand.ts";
import { type Cluster, type NodeSets, wantedNodeSets } from "../../core/resources/cluster/model.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import type { Host, ObservedAgent } from "../../core/resources/host/model.ts";
import type { Hub, HubSpec } from "../../core/resources/hub/model.ts";
import { type HubFindings, hubStatus } from "../../core/resources/hub/status.ts";
import { clusterRecord } from "./cluster-record.ts";

/** Hubs, hosts and orders as records, for placement without hubs behind it. */

const metadataOf = (name: string, now: number) => ({
  name,
  tenant: "shared",
  labels: {},
  annotations: {},
  creator: "test",
  creation_timestamp: timestamp(now),
});
const heard: HubFindings = { HUB_CONDITION_TYPE_HEARD: { status: true, reason: "Reports" } };
const noEvent = { type: "", sequence: 0, time: "2026-01-01T00:00:00.000Z", changed: [] };

export function hubRecord(id: string, spec: Partial<HubSpec> = {}, now = 0): Hub {
  return {
    kind: "hub",
    id: asHubId(id),
    metadata: metadataOf(id, now),
    generation: 0,
    revision: 1,
    spec: {
      region: "eu",
      server: "https://hub",
      credentials: secretReference.hubCredentials(id),
      capacity: 20,
      base_domain: "example.com",
      ...spec,
    },
    status: hubStatus({ state: "HUB_STATE_PENDING" }, heard, now),
    event: noEvent,
  };
}

export async function addHub(
  deps: StepDeps,
  id: string,
  spec: Partial<HubSpec> = {},
): Promise<void> {
  const now = deps.clock.now();
  const place = { kind: "hub", id } as const;
  await deps.store.transact([
    ...putNew(kinds, hubRecord(id, spec, now)),
    { put: { ...heartbeatKey(id), at: timestamp(now) } },
    sweptFrom("objects", place, now),
    sweptFrom("orphans", place, now),
    ...(spec.site === undefined ? [] : [sweptFrom("parts", place, now)]),
  ]);
}

export const hostsNamed = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}-${String(n).padStart(5, "0")}`);

export const macOf = (host: string): string => {
  const hex = Buffer.from(host.slice(-4)).toString("hex").match(/../g)?.join(":");
  return `52:54:${hex}`;
};

export function hostRecord(id: string, hub: string, hostType: string, now = 0): Host {
  return {
    kind: "host",
    id: asHostId(id),
    metadata: metadataOf(id, now),
    generation: 0,
    revision: 1,
    spec: {
      hub,
      host_type: hostType,
      bmc: { address: "redfish://bmc" },
      nics: [{ name: "eno1", mac: macOf(id), switch: "leaf", port: "1" }],
    },
    status: {
      state: "HOST_STATE_UNDISCOVERED",
      agent: readyAgent(hub, `agent-${id}`, timestamp(now)),
    },
    event: noEvent,
  };
}

/** Discovered, and bound to nothing. */
export const readyAgent = (hub: string, name: string, at: string): ObservedAgent => ({
  hub,
  name,
  uid: name,
  resource_version: "1",
  at,
  state: "known-unbound",
  message: "",
  bound_to: "",
  labelled_for: "",
  addresses: [],
  gone: false,
});

/** As the API adds one: the relay finds out whether it can be taken. */
export const newHost = (id: string, hub: string, hostType: string, now = 0): Write[] => [
  ...putNew(kinds, hostRecord(id, hub, hostType, now)),
  ...countHost(undefined, { hub, hostType }),
];

/** Hosts with agents that can be taken, in the pool. */
export async function addHosts(
  deps: StepDeps,
  hub: string,
  hostType: string,
  ids: string[],
): Promise<void> {
  for (const id of ids) {
    await deps.store.transact([
      ...newHost(id, hub, hostType, deps.clock.now()),
      { put: { ...macKey(macOf(id)), host: id } },
      admitHost({ hub, hostType }, id),
      ...countFree([[{ hub, hostType }, 1]]),
    ]);
  }
}

/** What the pool knows of a host that is free for all. */
export const freeEntry: Item = { pk: "", sk: "", state: "free" };

/** Entries of the pool alone, many in a transaction. */
export async function fillPool(store: Store, hub: string, hostType: string, ids: string[]) {
  for (let at = 0; at < ids.length; at += 100) {
    const writes: Write[] = ids.slice(at, at + 100).map((id) => admitHost({ hub, hostType }, id));
    await store.transact(writes);
  }
}

export interface Order {
  cluster: string;
  operation: OperationId;
}

/** A node set of each host type, with its name. */
export const nodeSetsOf = (sizes: Record<string, number>): NodeSets =>
  Object.fromEntries(
    Object.entries(sizes).map(([type, size]) => [
      type,
      { host_type: { id: type, name: type }, size },
    ]),
  );

const firstAttempt = "attempt-1";

/** An accepted order in its first step; `sets` are sizes by host type. */
export const addOrder = (...order: Ordering): Promise<Order> =>
  accepted(order, {
    ReserveCapacity: { ...newEntry(0), state: "RUNNING", attempt: firstAttempt },
  });

/** An accepted order whose saga runs, before its first step. */
export const startOrder = (...order: Ordering): Promise<Order> => accepted(order, {});

type Ordering = [
  deps: StepDeps,
  name: string,
  sets: Record<string, number>,
  wish?: { tenant?: string } & NonNullable<Cluster["spec"]["placement"]>,
];

async function accepted(
  [deps, name, sets, wish = {}]: Ordering,
  steps: Operation["steps"],
): Promise<Order> {
  const now = deps.clock.now();
  const { tenant = "tenant-a", ...placement } = wish;
  const bare = clusterRecord(now, name);
  const cluster: Cluster = {
    ...bare,
    metadata: { ...bare.metadata, tenant },
    spec: { ...bare.spec, node_sets: nodeSetsOf(sets), placement },
  };
  const operation = newOperation(deps, {
    saga: "cluster-create",
    change: "CREATE",
    target: cluster,
    creator: "test",
  });
  const running: Operation = {
    ...operation,
    status: { state: "RUNNING" },
    steps,
  };
  const stored = asNew(kinds, { ...cluster, operation: operation.id }, now);
  await deps.store.transact([...putNew(kinds, stored), ...putNew(kinds, running)]);
  return { cluster: cluster.id, operation: operation.id };
}

/** As the undo of the reservation does once every agent is back. */
export const giveAllBack = (deps: StepDeps, order: Order): Promise<void> =>
  release(deps, {
    ...clusterPlacing,
    id: order.cluster,
    operation: order.operation,
    fence: [],
    hosts: ({ hosts }) => new Set(Object.values(hosts).flat()),
    entirely: true,
  });

/** What the step does: reserves under the operation's fence. */
export async function reserveFor(
  deps: StepDeps,
  order: Order,
  changes: Partial<Demand> = {},
): Promise<ReserveOutcome> {
  const operation = await mustLoad(deps, "operation", order.operation);
  const cluster = await mustLoad(deps, "cluster", order.cluster);
  const step = "ReserveCapacity";
  const running = { id: firstAttempt, operation, name: step, undo: false };
  const { fence } = stepContext(deps, running, new AbortController().signal);
  return reserve(deps, {
    ...clusterPlacing,
    id: order.cluster,
    demand: (target) => ({ ...demandFor(wantedNodeSets(cluster))(target), ...changes }),
    operation,
    step,
    fence: fence(),
  });
}

export const placementOf = async (
  deps: StepDeps,
  { cluster }: Order,
): Promise<Cluster["placement"]> => (await mustLoad(deps, "cluster", cluster)).placement;

export const heldBy = async (deps: StepDeps, order: Order): Promise<string[]> =>
  Object.values((await placementOf(deps, order))?.hosts ?? {}).flat();

/** Every entry of a pool. */
export async function poolOf(store: Store, hub: string, hostType: string): Promise<Item[]> {
  const entries: Item[] = [];
  for (let shard = 0; shard < poolShards; shard++) {
    let cursor: string | undefined;
    do {
      const pk = poolPartition(hub, hostType, shard);
      const page = await store.query({ pk, ...(cursor ? { cursor } : {}) });
      entries.push(...page.items);
      cursor = page.cursor;
    } while (cursor !== undefined);
  }
  return entries;
}

export const statesIn = async (store: Store, hub: string, hostType: string) => {
  const counts: Record<string, number> = {};
  for (const { state } of await poolOf(store, hub, hostType))
    counts[String(state)] = (counts[String(state)] ?? 0) + 1;
  return counts;
};

export const slotsOf = async (store: Store, hub: string): Promise<number> =>
  Number((await store.get(slotsKey(hub)))?.used ?? 0);
