import type { Item, Query, Store } from "../../core/kernel/store/store.ts";

/** The items of all pages of a query. */
export async function everyPage(store: Store, query: Query): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.query({ ...query, ...(cursor !== undefined && { cursor }) });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return items;
}
