import type { DatabaseSync } from "node:sqlite";
import { indexKey } from "../../core/kernel/store/check.ts";
import { type Item, indexes } from "../../core/kernel/store/store.ts";

/** An item in the form of the store's tables. */
export interface Row {
  pk: string;
  sk: string;
  value: string;
  /** The index entries of the item, each with its keys. */
  entries: [index: string, pk: string, sk: string][];
}

export const rowOf = (item: Item): Row => ({
  pk: item.pk,
  sk: item.sk,
  value: JSON.stringify(item),
  entries: indexes.flatMap((index): Row["entries"] => {
    const at = indexKey(item, index);
    return at ? [[index, at.pk, at.sk]] : [];
  }),
});

/** Rows that are sorted and written together, so that neighbours in the tables' trees are written consecutively. */
const batch = 50_000;

/**
 * Writes new items into a store's database, through the store's connection and without its stream. One transaction with
 * a rollback journal, so that new pages are written once.
 */
export function putAll(database: DatabaseSync, rows: Iterable<Row>): void {
  database.exec("PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF");
  database.exec("PRAGMA cache_size = -2000000; BEGIN");
  const insert = {
    item: database.prepare("INSERT INTO item (pk, sk, value, size) VALUES (?, ?, ?, ?)"),
    entry: database.prepare("INSERT INTO entry VALUES (?, ?, ?, ?, ?)"),
  };
  let items: [pk: string, sk: string, value: string][] = [];
  let entries: [...Row["entries"][number], pk: string, sk: string][] = [];
  const flush = () => {
    for (const [pk, sk, value] of items.sort(byKey)) insert.item.run(pk, sk, value, value.length);
    for (const entry of entries.sort(byKey)) insert.entry.run(...entry);
    [items, entries] = [[], []];
  };
  for (const { pk, sk, value, entries: at } of rows) {
    items.push([pk, sk, value]);
    for (const entry of at) entries.push([...entry, pk, sk]);
    if (items.length === batch) flush();
  }
  flush();
  database.exec("COMMIT; PRAGMA cache_size = -2000; PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = NORMAL");
}

const byKey = (a: string[], b: string[]): number => {
  for (const [n, part] of a.entries()) {
    const other = b[n] ?? "";
    if (part !== other) return part < other ? -1 : 1;
  }
  return 0;
};
