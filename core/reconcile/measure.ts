import { knownNumbersOf } from "../at-site/pools.ts";
import { sitesOf } from "../at-site/registered.ts";
import { poolUses } from "../at-site/site.ts";
import { timestamp } from "../clock.ts";
import type { Deps } from "../kernel/deps.ts";
import { unreachedPartition } from "../kernel/object/hub-keys.ts";
import { objectKey, stuckPartition } from "../kernel/object/keys.ts";
import { objectIn } from "../kernel/object/records.ts";
import type { Operation } from "../kernel/saga/operation.ts";
import { overdueSteps } from "../kernel/saga/status.ts";
import { pagesIn } from "../kernel/store/pages.ts";
import { isUnreached } from "../placement/hubs/hub.ts";
import { heartbeatsOf } from "./heartbeats.ts";
import { alarming } from "./suppressed.ts";
import { operationsIn, operationsUnderWay } from "./under-way.ts";

/** Measurements over all objects, taken on a schedule, because no single event has them. */
export interface Measures {
  /** Operations that have begun and not ended. */
  OperationsRunning: number;
  /** Running operations with a step that takes longer than usual, except those whose host suppresses alarms. */
  OperationsStalled: number;
  /** Operations that wait for a person. */
  OperationsStuck: number;
  /** Seconds that the longest waiting overdue step has waited; waits for capacity do not count. */
  TokenAge: number;
  /** Seconds since the most silent hub's last report. */
  HeartbeatAge: number;
  /** Hubs that are unreachable. */
  HubsUnreached: number;
  /** The use of the fullest pool of numbers, in percent. */
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
  const running = await operationsUnderWay(deps);
  const late = await alarming(deps, running.filter(isLate(deps)));
  const token = worst(late.flatMap((operation) => overdue(deps, operation)));
  const heartbeat = worst(await silences(deps));
  const unreached = await unreachedHubs(deps);
  const pool = worst(await pools(deps));
  return {
    values: {
      OperationsRunning: running.length,
      OperationsStalled: late.filter(({ status }) => status.stalled).length,
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

const isLate =
  ({ clock }: Pick<Deps, "clock">) =>
  (operation: Operation): boolean =>
    operation.status.stalled !== undefined ||
    overdueSteps(operation, timestamp(clock.now())).length > 0;

function overdue({ clock }: Pick<Deps, "clock">, operation: Operation) {
  const now = clock.now();
  return overdueSteps(operation, timestamp(now))
    .filter(([, { system }]) => system !== "placement")
    .map(([step, { waiting_since, start_time }]) => ({
      value: now - Date.parse(waiting_since ?? start_time ?? timestamp(now)),
      where: { operation: operation.id, step },
    }));
}

/** The silence of a hub that has never reported counts from its registration. */
async function silences(deps: MeasureDeps) {
  const now = deps.clock.now();
  return (await heartbeatsOf(deps)).map(({ hub, at, since = now }) => ({
    value: now - (at ?? since),
    where: { hub },
  }));
}

/** The ids of the hubs that count as unreachable. One failed check is not enough. */
async function unreachedHubs({ store, kinds }: MeasureDeps): Promise<string[]> {
  const found: string[] = [];
  for await (const items of pagesIn(store, { index: "g2", pk: unreachedPartition })) {
    const hubs = await store.getMany(items.map(({ g2sk }) => objectKey("hub", String(g2sk))));
    for (const item of hubs) {
      const hub = item && objectIn<"hub">(kinds, item);
      if (hub && isUnreached(hub)) found.push(hub.id);
    }
  }
  return found;
}

async function pools(deps: MeasureDeps) {
  const found: Worst<{ pool: string }>[] = [];
  for (const site of await sitesOf(deps)) {
    const numbers = knownNumbersOf(deps, site);
    if (!numbers) continue;
    for (const use of poolUses) {
      const pool = numbers.pools[use];
      const usage = await numbers.usage(pool);
      if (usage) found.push({ value: (100 * usage.used) / usage.size, where: { pool: pool.name } });
    }
  }
  return found;
}
