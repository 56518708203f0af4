import type { DatabaseSync } from "node:sqlite";
import { storedAs } from "../../core/kernel/store/change.ts";
import { indexKey } from "../../core/kernel/store/check.ts";
import { type Item, indexes } from "../../core/kernel/store/store.ts";

/** Items of one transaction. */
const batch = 10_000;

/** Puts new items into a store's database, without its stream: a million take a minute so. */
export function putAll(database: DatabaseSync, items: Iterable<Item>): void {
  const insert = {
    item: database.prepare("INSERT INTO item (pk, sk, value, size) VALUES (?, ?, ?, ?)"),
    entry: database.prepare("INSERT INTO entry VALUES (?, ?, ?, ?, ?)"),
  };
  let put = 0;
  database.exec("BEGIN");
  for (const item of items) {
    const { value, size } = storedAs(item);
    insert.item.run(item.pk, item.sk, value, size);
    for (const index of indexes) {
      const at = indexKey(item, index);
      if (at) insert.entry.run(index, at.pk, at.sk, item.pk, item.sk);
    }
    if (++put % batch === 0) database.exec("COMMIT; BEGIN");
  }
  database.exec("COMMIT");
}
