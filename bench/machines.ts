import { hours, minutes } from "../core/clock.ts";
import { kindPartition } from "../core/kernel/object/keys.ts";
import { objectIn } from "../core/kernel/object/records.ts";
import { everyItem } from "../core/kernel/store/pages.ts";
import { kinds } from "../core/resources/generated/kinds.ts";
import { openSystem, type System } from "../simulate/system.ts";
import { used } from "./fleet/cpu.ts";

/** The most machines of a hub. */
const mostAtHub = 250;
/** The interval between counts of the free hosts. */
const pace = minutes(5);
/** The time limit of each machine. */
const patience = hours(24);

/**
 * `npm run bench -- machines [machines] [DPUs of each]`: discovers powered-off hosts, each with the installation of its
 * DPUs, in virtual time and in one process. Prints machines per CPU second and the CPU by part, memory, and the store's
 * writes and bytes for each machine.
 */
export async function bench(): Promise<void> {
  const machines = Number(process.argv[3] ?? 4500);
  const dpus = Number(process.argv[4] ?? 2);
  const hubs = Math.ceil(machines / mostAtHub);
  const withDpus = Math.ceil(machines / hubs);
  const size = {
    sites: 1,
    hubsAtSite: hubs,
    hostsAtHub: {},
    servers: { plain: 0, withDpus, dpus },
  };
  const { result, used: took } = await used(async () => {
    const system = await openSystem({ seed: 1, faults: 0, size });
    try {
      return await allFree(system);
    } finally {
      await system.stop();
    }
  });
  const { cpu, heap, rss, parts } = took;
  const { free, all, virtual, operations } = result;
  const summary = {
    ...{ machines: all, dpus, free, virtual_hours: virtual / hours(1) },
    cpu_s: rounded(cpu),
    machines_per_cpu_s: rounded(all / cpu),
    ...Object.fromEntries(
      Object.entries(operations).map(([name, count]) => [
        `${name}_a_machine`,
        rounded(count / all),
      ]),
    ),
    heap_mb: Math.round(heap),
    rss_mb: Math.round(rss),
  };
  console.table(summary);
  console.table(
    Object.fromEntries(
      Object.entries(parts).map(([part, share]) => [part, rounded((1000 * share * cpu) / all)]),
    ),
  );
  console.log(JSON.stringify({ node: process.version, ...summary }));
  if (free < all) process.exitCode = 1;
}

/** Waits until all hosts are free, and counts the store's calls meanwhile. */
async function allFree(system: System) {
  const { clock, worlds } = system;
  const all = worlds.hosts().length;
  const operations = counted(system);
  const began = clock.now();
  let free = 0;
  while (free < all && clock.now() - began < patience) {
    await clock.advance(pace);
    free = await countFree(system);
    console.error(`${free} of ${all} are free`);
  }
  return { free, all, virtual: clock.now() - began, operations };
}

async function countFree({ slipway }: System): Promise<number> {
  const items = await everyItem(slipway.store, { index: "g4", pk: kindPartition("host") });
  return items.filter(
    (item) => objectIn<"host">(kinds, item).status.state === "HOST_STATE_AVAILABLE",
  ).length;
}

/** Counts the store's calls by operation, from now on. */
function counted({ slipway: { store } }: System) {
  const operations = { gets: 0, queries: 0, transactions: 0, writes: 0 };
  const get = store.get.bind(store);
  const query = store.query.bind(store);
  const transact = store.transact.bind(store);
  store.get = (...asked) => {
    operations.gets += 1;
    return get(...asked);
  };
  store.query = (...asked) => {
    operations.queries += 1;
    return query(...asked);
  };
  store.transact = (writes) => {
    operations.transactions += 1;
    operations.writes += writes.length;
    return transact(writes);
  };
  return operations;
}

const rounded = (number: number): number => Number(number.toFixed(2));
