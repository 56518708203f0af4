import { cursorAt } from "./cursor.ts";
import { pageLimit } from "./size.ts";
import { type Item, indexPage, keyPage, type Page, type Query } from "./store.ts";

/** A query with its limit, which has a maximum for an index and for keys alone. */
export function limitedToPage(query: Query): Query {
  const most = query.only === "keys" ? keyPage : query.index && indexPage;
  return most ? { ...query, limit: Math.min(query.limit ?? most, most) } : query;
}

/** Cuts a page as DynamoDB does: at the limit, with a cursor even if that was the last item, or at 1 MB. */
export function pageOf(rows: Iterable<{ item: Item; size: number }>, query: Query): Page {
  const items: Item[] = [];
  let total = 0;
  const cut = (): Page => {
    const last = items.at(-1);
    return last ? { items, cursor: cursorAt(last, query.index) } : { items };
  };
  for (const { item, size } of rows) {
    if (items.length > 0 && total + size > pageLimit) return cut();
    items.push(item);
    total += size;
    if (items.length === query.limit) return cut();
  }
  return { items };
}
