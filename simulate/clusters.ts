import { kindPartition } from "../core/kernel/object/keys.ts";
import { objectIn } from "../core/kernel/object/records.ts";
import { everyItem } from "../core/kernel/store/pages.ts";
import { kinds } from "../core/resources/generated/kinds.ts";
import type { Requests } from "./requests.ts";
import type { System } from "./system.ts";

/** Compares the clusters with the requests of tenants. */

/** Accepted orders whose cluster is missing, although nobody deleted it. */
export async function missingClusters(system: System, { clusters }: Requests): Promise<string[]> {
  const there = new Set(await idsOf("cluster", system));
  return [...clusters.values()]
    .filter(({ id, isDeleted }) => !isDeleted && !there.has(id))
    .map(({ id }) => `the cluster ${id} is gone, and nobody deleted it`);
}

/** What is left after all deletions: clusters, allocations, and outside objects with an owner. */
export async function leftBehind(system: System): Promise<string[]> {
  const objects: string[] = [];
  for (const kind of ["cluster", "allocation"] as const)
    for (const id of await idsOf(kind, system)) objects.push(`the ${kind} ${id} still exists`);
  const owned = system.worlds.ledger().filter(({ owner }) => owner !== null);
  return [...objects, ...owned.map(({ kind, id }) => `${kind} ${id} still exists`)];
}

async function idsOf(kind: "cluster" | "allocation", { slipway }: System): Promise<string[]> {
  const items = await everyItem(slipway.store, { index: "g4", pk: kindPartition(kind) });
  return items.map((item) => objectIn<typeof kind>(kinds, item).id);
}
