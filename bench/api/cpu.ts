import type { Calls } from "../../test/support/counting-store.ts";
import type { World } from "./world.ts";

/** The average cost of one request. */
export interface Cost {
  cpu_ms: number;
  /** The part of `cpu_ms` in SQLite and its adapter, in place of DynamoDB and its SDK on AWS. */
  store_ms: number;
  requests_per_cpu_second: number;
  /** The store's calls, and the items that they read and wrote. */
  store: Calls;
}

/** Repeats a request so many times, after a tenth as many to warm up. `ask` gets the number of the repetition. */
export async function costOf(
  world: World,
  times: number,
  ask: (n: number) => Promise<unknown>,
): Promise<Cost> {
  const warm = Math.ceil(times / 10);
  for (let n = 0; n < warm; n++) await ask(n);
  const calls = { ...world.calls };
  const inStore = world.storeTime();
  const before = process.cpuUsage();
  for (let n = warm; n < warm + times; n++) await ask(n);
  const { user, system } = process.cpuUsage(before);
  const cpu_ms = (user + system) / 1000 / times;
  return {
    cpu_ms: rounded(cpu_ms),
    store_ms: rounded((world.storeTime() - inStore) / times),
    requests_per_cpu_second: Math.round(1000 / cpu_ms),
    store: perRequest(world.calls, calls, times),
  };
}

const rounded = (ms: number): number => Number(ms.toFixed(3));

function perRequest(after: Calls, before: Calls, times: number): Calls {
  const names = Object.keys(after) as (keyof Calls)[];
  const each = names.map((name) => [
    name,
    Number(((after[name] - before[name]) / times).toFixed(2)),
  ]);
  // The names are those of Calls.
  return Object.fromEntries(each) as Calls;
}
