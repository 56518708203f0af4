import type { StoreChange } from "../change.ts";
import { indexKey } from "../check.ts";
import { indexes } from "../store.ts";
import type { EmptyPartitions } from "./empty-partitions.ts";
import type { Prepared } from "./tables.ts";

/** Stores the item of a change with its index entries, and notes that their partitions are not empty. */
export function writeItem(statement: Prepared, change: StoreChange, empty: EmptyPartitions): void {
  const { key, after } = change;
  if (after) {
    const expires = typeof after.item.expires === "number" ? after.item.expires : null;
    statement(
      `INSERT INTO item (pk, sk, value, size, expires) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO
       UPDATE SET value = excluded.value, size = excluded.size, expires = excluded.expires`,
    ).run(key.pk, key.sk, after.value, after.size, expires);
  } else {
    statement("DELETE FROM item WHERE pk = ? AND sk = ?").run(key.pk, key.sk);
  }
  moveEntries(statement, change, empty);
}

function moveEntries(
  statement: Prepared,
  { key, before, after }: StoreChange,
  empty: EmptyPartitions,
) {
  for (const index of indexes) {
    const from = before && indexKey(before.item, index);
    const to = after && indexKey(after.item, index);
    if (from?.pk === to?.pk && from?.sk === to?.sk) continue;
    if (from) {
      const where = "name = ? AND ipk = ? AND isk = ? AND pk = ? AND sk = ?";
      statement(`DELETE FROM entry WHERE ${where}`).run(index, from.pk, from.sk, key.pk, key.sk);
    }
    if (to) {
      empty.drop(index, to.pk);
      const sql = "INSERT INTO entry VALUES (?, ?, ?, ?, ?)";
      statement(sql).run(index, to.pk, to.sk, key.pk, key.sk);
    }
  }
}
