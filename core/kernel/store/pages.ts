import type { Item, Query, Store } from "./store.ts";

/** All items of a query, a page at a time. */
export async function* pagesIn(store: Store, query: Query): AsyncGenerator<Item[]> {
  let cursor: string | undefined;
  do {
    const page = await store.query({ ...query, ...(cursor === undefined ? {} : { cursor }) });
    yield page.items;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/** All items of a query in one list. */
export async function everyItem(store: Store, query: Query): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pagesIn(store, query)) items.push(...page);
  return items;
}
