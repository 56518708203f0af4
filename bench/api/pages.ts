import { timestamp } from "../../core/clock.ts";
import { countKey, nameKey, totalKey } from "../../core/kernel/object/keys.ts";
import { labelEntry } from "../../core/kernel/object/labels.ts";
import { mustLoad, objectIn, putChanged } from "../../core/kernel/object/records.ts";
import { cursorAt } from "../../core/kernel/store/cursor.ts";
import type { Item } from "../../core/kernel/store/store.ts";
import type { Cluster } from "../../core/resources/cluster/model.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { encodeToken } from "../../functions/api/list/token.ts";
import { order, v1 } from "../../test/support/api.ts";
import { putAll, type Row, rowOf } from "./bulk.ts";
import { Copies, Sums } from "./copies.ts";
import { type Cost, costOf } from "./cpu.ts";
import type { World } from "./world.ts";

export const pageSize = 50;

/** A name of one cluster, and a name of a page of clusters, each in its own project. */
const [rare, shared] = ["rare", "shared"];

/**
 * Gives the tenant this many clusters: one order, and copies of it with all that lists read. Half of the copies have
 * one label; a page of them have another label and a name in common.
 */
export async function fill(world: World, count: number): Promise<void> {
  const { store } = world.deps;
  const { id } = JSON.parse(
    await world.ask(`${v1}/clusters`, { method: "POST", body: JSON.stringify(order("first")) }),
  );
  const first = await mustLoad(world.deps, "cluster", id);
  putAll(world.database, copies(first, count));
  const add = { count: count - 1 };
  const { tenant } = first.metadata;
  await store.transact([
    { update: countKey("cluster", tenant), add },
    { update: totalKey("cluster", id), add },
  ]);
}

function* copies(first: Cluster, count: number): Generator<Row> {
  const every = Math.floor(count / pageSize);
  const model = new Copies(
    itemsOf(copyWith(first, blanks)).map((put) => ({ put })),
    Object.values(blanks),
  );
  const sums = new Sums();
  for (let n = 1; n < count; n++) {
    const texts = textsOf(first, n);
    if (n % every === 1 && n < every * pageSize)
      yield* itemsOf(copyWith(first, { ...texts, name: shared }, `p-${n}`)).map(rowOf);
    else yield* model.rows(Object.values(texts), sums);
  }
}

/** A list that reads the key of every cluster; measured only a few times. */
const besideAll = "a label of half beside one of all, page 1";

export const timesOf = (list: string): number => (list === besideAll ? 5 : 100);

/** The cost of listing clusters with these parameters. */
export const costOfList = (
  world: World,
  query: Record<string, string>,
  times: number,
): Promise<Cost> => {
  const search = new URLSearchParams({ limit: String(pageSize), ...query });
  return costOf(world, times, () => world.ask(`${v1}/clusters?${search}`));
};

/** The lists to measure, with so many clusters. */
export async function listsOf(
  world: World,
  count: number,
): Promise<Record<string, Record<string, string>>> {
  const pages = Math.min(10_000, count / pageSize);
  const offset = Math.min(9_900, count - 2 * pageSize);
  const half = "this.metadata.labels['half'] == '1'";
  const both = "this.metadata.labels['half'] in ['0', '1']";
  const { next_page_token } = JSON.parse(
    await world.ask(
      `${v1}/clusters?${new URLSearchParams({ filter: half, limit: String(pageSize), offset: String(offset / 2 - pageSize) })}`,
    ),
  );
  return {
    "page 1": {},
    [`page ${pages}`]: { page_token: await tokenOf(world, pages) },
    [`offset ${offset}`]: { offset: String(offset) },
    "a name of 1": { filter: `this.metadata.name == '${rare}'` },
    [`a name of ${pageSize}`]: { filter: `this.metadata.name == '${shared}'` },
    [`a label of ${pageSize}`]: { filter: "this.metadata.labels['few'] == 'yes'" },
    [`a label of ${pageSize}, 1 shown`]: {
      filter: "this.metadata.labels['few'] == 'yes'",
      limit: "1",
    },
    [`a label of ${pageSize} beside one of half`]: {
      filter: `this.metadata.labels['few'] == 'yes' && ${half}`,
    },
    [`any value of a label of ${pageSize}`]: { filter: "has(this.metadata.labels.few)" },
    "one of two values, page 1": { filter: both },
    [besideAll]: { filter: `${half} && ${both}` },
    "a label of half, page 1": { filter: half },
    "a label of half, a later page": { filter: half, page_token: next_page_token },
    [`a label of half, offset ${offset / 2}`]: { filter: half, offset: String(offset / 2) },
  };
}

/** The token of a page, without requests for the pages before it. */
export async function tokenOf(world: World, page: number): Promise<string> {
  const { store } = world.deps;
  const { items } = await store.query({ index: "g1", pk: "cluster#tenant-a", limit: 1 });
  const [item] = items;
  if (!item) throw new Error("there is no cluster");
  const first = objectIn<"cluster">(kinds, item);
  const last = itemOf(copyWith(first, textsOf(first, (page - 1) * pageSize - 1)));
  return encodeToken({ in: 0, at: cursorAt(last, "g1") });
}

/** The texts in which copies differ. */
interface Texts {
  number: string;
  name: string;
  created: string;
  half: string;
}

const blanks: Texts = {
  number: "<---number-->",
  name: "<name>",
  created: "<created>",
  half: "<half>",
};

/** Each copy is created a second after the previous one. */
const textsOf = ({ metadata }: Cluster, n: number): Texts => ({
  number: String(n).padStart(12, "0"),
  name: n === 2 ? rare : `copy-${n}`,
  created: timestamp(Date.parse(metadata.creation_timestamp) + 1000 * n),
  half: String(n % 2),
});

/** A copy in a project, with the rare label. */
function copyWith(
  first: Cluster,
  { number, name, created, half }: Texts,
  project?: string,
): Cluster {
  const metadata = {
    ...first.metadata,
    ...{ name, ...(project && { project }) },
    labels: { half, ...(project && { few: "yes" }) },
    creation_timestamp: created,
  };
  return { ...first, id: `${first.id.slice(0, -12)}${number}` as Cluster["id"], metadata };
}

function itemOf(cluster: Cluster): Item {
  const [write] = putChanged(kinds, cluster, cluster);
  if (!write || !("put" in write)) throw new Error("a changed object is not put first");
  return write.put;
}

function itemsOf(cluster: Cluster): Item[] {
  const { id, metadata } = cluster;
  const { name, tenant, project = "", labels } = metadata;
  return [
    itemOf(cluster),
    { ...nameKey("cluster", tenant, project, name), id },
    ...Object.entries(labels).map(([key, value]) => labelEntry(kinds, cluster, { key, value })),
  ];
}
