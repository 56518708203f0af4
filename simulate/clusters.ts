import { kindPartition } from "../core/kernel/object/keys.ts";
import { objectIn } from "../core/kernel/object/records.ts";
import { everyItem } from "../core/kernel/store/pages.ts";
import { kinds } from "../core/resources/generated/kinds.ts";
import type { Requests } from "./requests.ts";
import type { System } from "./system.ts";

/** The clusters that are there, against what was asked for. */

/** Accepted orders that nobody deleted, and that are not there. */
export async function missingClusters(system: System, { clusters }: Requests): Promise<string[]> {
  const there = new Set((await clustersIn(system)).map(({ id }) => id as string));
  return [...clusters.values()]
    .filter(({ id, isDeleted }) => !isDeleted && !there.has(id))
    .map(({ id }) => `the cluster ${id} is gone, and nobody deleted it`);
}

/** What is left when everything was deleted: clusters, and things outside that belong to some order. */
export async function leftBehind(system: System): Promise<string[]> {
  const clusters = (await clustersIn(system)).map(({ id }) => `the cluster ${id} is there still`);
  const owned = system.worlds.ledger().filter(({ owner }) => owner !== null);
  return [...clusters, ...owned.map(({ kind, id }) => `${kind} ${id} is there still`)];
}

async function clustersIn({ slipway }: System) {
  const query = { index: "g4", pk: kindPartition("cluster") } as const;
  const items = await everyItem(slipway.store, query);
  return items.map((item) => objectIn<"cluster">(kinds, item));
}
