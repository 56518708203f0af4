import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cost } from "./api/cpu.ts";
import { costOfList, fill, listsOf, pageSize, timesOf } from "./api/pages.ts";
import { requestCosts } from "./api/requests.ts";
import { openWorld } from "./api/world.ts";

/** The number of requests of each kind. */
const times = 2000;
/** The numbers of the tenant's clusters for lists. */
const populations = [1_000, 100_000, 1_000_000];

/**
 * `npm run bench -- api [most]`: the CPU of each kind of request in process, including the answer's JSON; then lists of
 * a thousand to a million clusters, or to `most`, which must cost the same reads and stay within their bounds. A
 * million take some minutes and 6 GB of disk.
 */
export async function bench(): Promise<void> {
  const most = Number(process.argv[3] ?? populations.at(-1));
  const requests = await requestCosts(await openWorld(), times);
  print(requests);
  const lists: Record<string, Record<string, Cost>> = {};
  for (const count of populations.filter((each) => each <= most)) {
    const costs = await listCosts(count);
    lists[count] = costs;
    console.log(`\n${count} clusters, ${pageSize} to a page`);
    print(costs);
  }
  const over = Object.entries(lists).flatMap(([count, costs]) =>
    overBounds(costs).map((why) => `${count} clusters: ${why}`),
  );
  for (const why of over) console.error(why);
  if (over.length > 0) process.exitCode = 1;
  console.log(JSON.stringify({ node: process.version, requests, lists, over }));
}

/** The most that a list may cost, as a multiple of another list's CPU. */
const bounds: [list: string, times: number, other: string][] = [
  ["page ", 1.5, "page 1"],
  ["offset ", 5, "page 1"],
  [`a label of ${pageSize}`, 2, `a name of ${pageSize}`],
  [`a label of ${pageSize} beside`, 2, `a name of ${pageSize}`],
  [`any value of a label of ${pageSize}`, 2, `a name of ${pageSize}`],
  [`a label of ${pageSize}, 1 shown`, 2, "a name of 1"],
];

const overBounds = (costs: Record<string, Cost>): string[] =>
  bounds.flatMap(([list, times, other]) => {
    const name = costs[list] ? list : Object.keys(costs).findLast((each) => each.startsWith(list));
    const [cost, than] = [name && costs[name]?.cpu_ms, costs[other]?.cpu_ms];
    if (!cost || !than) throw new Error(`${list} or ${other} was not measured`);
    return cost > times * than ? [`${name} costs ${cost} ms; ${times} × ${than} is the limit`] : [];
  });

async function listCosts(count: number): Promise<Record<string, Cost>> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-pages-"));
  const world = await openWorld(join(folder, "slipway.db"));
  try {
    await fill(world, count);
    const costs: Record<string, Cost> = {};
    for (const [name, query] of Object.entries(await listsOf(world, count)))
      costs[name] = await costOfList(world, query, timesOf(name));
    return costs;
  } finally {
    world.deps.store.close();
    await rm(folder, { recursive: true });
  }
}

function print(costs: Record<string, Cost>): void {
  const rows = Object.entries(costs).map(([name, { store, ...cost }]) => [
    name,
    { ...cost, ...store },
  ]);
  console.table(Object.fromEntries(rows));
}
