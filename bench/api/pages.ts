import { timestamp } from "../../core/clock.ts";
import { countKey, indexKeys, objectKey, totalKey } from "../../core/kernel/object/keys.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { cursorAt } from "../../core/kernel/store/cursor.ts";
import type { Item } from "../../core/kernel/store/store.ts";
import type { Cluster } from "../../core/resources/cluster/model.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { encodeToken } from "../../functions/api/list/token.ts";
import { order, v1 } from "../../test/support/api.ts";
import { type Cost, costOf } from "./cpu.ts";
import type { World } from "./world.ts";

export const pageSize = 50;
/** Copies written in one transaction. */
const batch = 100;

/** Gives the tenant this many clusters: an order, and copies of it as far as lists read them. */
export async function fill(world: World, count: number): Promise<void> {
  const { store } = world.deps;
  const { id } = JSON.parse(
    await world.ask(`${v1}/clusters`, { method: "POST", body: JSON.stringify(order("first")) }),
  );
  const first = await mustLoad(world.deps, "cluster", id);
  for (let n = 1; n < count; n += batch) {
    const copies = Array.from({ length: Math.min(batch, count - n) }, (_, more) =>
      itemOf(copyOf(first, n + more)),
    );
    await store.transact(copies.map((put) => ({ put })));
    // Nobody reads it, and it is as large as the table.
    store.trimStream(String(Number.MAX_SAFE_INTEGER));
  }
  const add = { count: count - 1 };
  const { tenant } = first.metadata;
  await store.transact([
    { update: countKey("cluster", tenant), add },
    { update: totalKey("cluster", id), add },
  ]);
}

/** What it costs to list one page of those, counted from 1. */
export async function costOfPage(world: World, page: number, times: number): Promise<Cost> {
  const query = new URLSearchParams({ limit: String(pageSize) });
  if (page > 1) query.set("page_token", await tokenOf(world, page));
  return costOf(world, times, () => world.ask(`${v1}/clusters?${query}`));
}

/** The token that the page before it answers, without asking for all of those before. */
export async function tokenOf(world: World, page: number): Promise<string> {
  const { store } = world.deps;
  const { items } = await store.query({ index: "g1", pk: "cluster#tenant-a", limit: 1 });
  const [item] = items;
  if (!item) throw new Error("there is no cluster");
  const first = await mustLoad(world.deps, "cluster", String(item.id));
  const last = itemOf(copyOf(first, (page - 1) * pageSize - 1));
  return encodeToken({ in: 0, at: cursorAt(last, "g1") });
}

/** Made a second after the one before. */
function copyOf(first: Cluster, n: number): Cluster {
  const created = Date.parse(first.metadata.creation_timestamp) + 1000 * n;
  const id = `${first.id.slice(0, -12)}${String(n).padStart(12, "0")}` as Cluster["id"];
  const metadata = {
    ...first.metadata,
    name: `copy-${n}`,
    creation_timestamp: timestamp(created),
  };
  return { ...first, id, metadata };
}

const itemOf = (cluster: Cluster): Item =>
  JSON.parse(
    JSON.stringify({
      ...cluster,
      ...indexKeys(kinds, cluster),
      ...objectKey("cluster", cluster.id),
    }),
  );
