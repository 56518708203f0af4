import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { openSqliteStore } from "../core/kernel/store/sqlite/sqlite.ts";
import { testDeps } from "../test/support/deps.ts";
import type { Cost } from "./api/cpu.ts";
import { costOfPage, fill } from "./api/pages.ts";
import { requestCosts } from "./api/requests.ts";
import { openWorld } from "./api/world.ts";

/** Requests of each kind, and clusters that the tenant has when they are listed. */
const times = 2000;
const objects = 1_000_000;
const deep = 10_000;

/**
 * `npm run bench -- api`: CPU of each kind of request, without a socket, the JSON of the answer
 * included; then the first page against the ten thousandth of a million clusters, which must cost the
 * same reads. Takes some minutes and 4 GB of disk.
 */
export async function bench(): Promise<void> {
  const requests = await requestCosts(await openWorld(), times);
  print(requests);
  const pages = await pageCosts();
  print(pages);
  const [first, last] = Object.values(pages).map(({ store }) => store);
  const equal_reads = isDeepStrictEqual(first, last);
  if (!equal_reads) process.exitCode = 1;
  console.log(JSON.stringify({ node: process.version, requests, objects, pages, equal_reads }));
}

async function pageCosts(): Promise<Record<string, Cost>> {
  const folder = await mkdtemp(join(tmpdir(), "slipway-pages-"));
  const store = openSqliteStore(join(folder, "slipway.db"));
  try {
    const world = await openWorld(testDeps({ store }));
    await fill(world, objects);
    return {
      "page 1": await costOfPage(world, 1, 100),
      [`page ${deep}`]: await costOfPage(world, deep, 100),
    };
  } finally {
    store.close();
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
