import { timestamp } from "../clock.ts";
import type { Deps } from "../kernel/deps.ts";
import { duePartition, dueShards, stuckPartition } from "../kernel/object/keys.ts";
import { objectsIn, type Records } from "../kernel/object/records.ts";
import type { Operation } from "../kernel/saga/operation.ts";
import { overdueSteps } from "../kernel/saga/status.ts";
import type { Candidate } from "../placement/choose.ts";
import { isUnreached } from "../placement/hub.ts";
import { candidates } from "../placement/hubs.ts";
import { poolUses } from "../resources/site/model.ts";
import { numbersOf } from "../resources/site/pools.ts";
import { sitesOf } from "../resources/site/registered.ts";

/** Measurements over everything, taken on a schedule, because no single event has them. */
export interface Measures {
  /** Operations that have begun and not ended. */
  OperationsRunning: number;
  /** Operations under way with a step that takes longer than usual. */
  OperationsStalled: number;
  /** Operations that wait for a person. */
  OperationsStuck: number;
  /** Seconds that the longest waiting overdue step has waited; waits for capacity do not count. */
  TokenAge: number;
  /** Seconds since the most silent hub's last report. */
  HeartbeatAge: number;
  /** Hubs that Slipway does not reach. */
  HubsUnreached: number;
  /** Per cent used of the fullest pool of numbers. */
  PoolUse: number;
}

export interface Measured {
  values: Measures;
  /** Names the step that waits longest, the most silent hub and the fullest pool. */
  worst: { operation?: string; step?: string; hub?: string; unreached?: string; pool?: string };
}

interface Worst<Where> {
  value: number;
  where: Where;
}

type MeasureDeps = Pick<Deps, "store" | "kinds" | "clock" | "log">;

/** Takes all measurements, from indexes, which may lag. */
export async function measure(deps: MeasureDeps): Promise<Measured> {
  const running = await underWay(deps);
  const token = worst(running.flatMap((operation) => overdue(deps, operation)));
  const hubs = await candidates(deps);
  const heartbeat = worst(silences(deps, hubs));
  const unreached = hubs.filter(({ hub }) => isUnreached(hub)).map(({ hub }) => hub.id);
  const pool = worst(await pools(deps));
  return {
    values: {
      OperationsRunning: running.length,
      OperationsStalled: running.filter(({ status }) => status.stalled).length,
      OperationsStuck: (await operationsIn(deps, stuckPartition)).length,
      TokenAge: Math.round((token?.value ?? 0) / 1000),
      HeartbeatAge: Math.round((heartbeat?.value ?? 0) / 1000),
      HubsUnreached: unreached.length,
      PoolUse: Math.round(pool?.value ?? 0),
    },
    worst: {
      ...token?.where,
      ...heartbeat?.where,
      ...(unreached[0] === undefined ? {} : { unreached: unreached[0] }),
      ...pool?.where,
    },
  };
}

const worst = <Where>(found: Worst<Where>[]): Worst<Where> | undefined =>
  found.reduce<Worst<Where> | undefined>(
    (most, each) => (most && most.value >= each.value ? most : each),
    undefined,
  );

/** Operations under way are all in the due index. */
async function underWay(records: Records): Promise<Operation[]> {
  const found: Operation[] = [];
  for (let shard = 0; shard < dueShards; shard++)
    found.push(...(await operationsIn(records, duePartition(shard))));
  return found.filter(({ status }) => status.state === "RUNNING");
}

async function operationsIn(records: Records, pk: string): Promise<Operation[]> {
  const found: Operation[] = [];
  for await (const page of objectsIn<"operation">(records, { index: "g2", pk }))
    found.push(...page);
  return found;
}

function overdue({ clock }: Pick<Deps, "clock">, operation: Operation) {
  const now = clock.now();
  return overdueSteps(operation, timestamp(now))
    .filter(([, { system }]) => system !== "placement")
    .map(([step, { waiting_since, start_time }]) => ({
      value: now - Date.parse(waiting_since ?? start_time ?? timestamp(now)),
      where: { operation: operation.id, step },
    }));
}

/** A hub that has never reported is silent since it was registered. */
function silences({ clock }: Pick<Deps, "clock">, hubs: Candidate[]) {
  return hubs.map(({ hub, heartbeat }) => ({
    value: clock.now() - (heartbeat ?? Date.parse(hub.metadata.creation_timestamp)),
    where: { hub: hub.id },
  }));
}

async function pools(deps: MeasureDeps) {
  const found: Worst<{ pool: string }>[] = [];
  for (const site of await sitesOf(deps)) {
    const numbers = numbersOf(deps, site);
    if (!numbers) continue;
    for (const use of poolUses) {
      const pool = numbers.pools[use];
      const { used, size } = await numbers.ipam.usage(pool);
      found.push({ value: (100 * used) / size, where: { pool: pool.name } });
    }
  }
  return found;
}
