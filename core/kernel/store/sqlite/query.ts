import type { SQLInputValue } from "node:sqlite";
import type { Position } from "../cursor.ts";
import type { Query } from "../store.ts";

/** SQL with its values. */
export type Select = [sql: string, values: SQLInputValue[]];

/**
 * Selects the items of a query as `{value, size}`, in the query's order, from the position where it
 * goes on.
 */
export function selectItems(query: Query, start: Position | undefined): Select {
  const { from, below } = bounds(query);
  const key = query.index ? ["isk", "e.pk", "e.sk"] : ["i.sk"];
  const where = query.index ? ["name = ?", "ipk = ?"] : ["i.pk = ?"];
  const values: SQLInputValue[] = query.index ? [query.index, query.pk] : [query.pk];
  const bound = (sql: string, ...bound: SQLInputValue[]) => {
    where.push(sql);
    values.push(...bound);
  };

  // The position to go on from is within the range, so it replaces the bound on that side.
  if (start && !query.reverse) bound(`(${key}) > (${key.map(() => "?")})`, ...place(start));
  else bound(`${key[0]} >= ?`, from);
  if (start && query.reverse) bound(`(${key}) < (${key.map(() => "?")})`, ...place(start));
  else if (below) bound(`${key[0]} < CAST(? AS TEXT)`, below);

  const source = query.index ? "entry e JOIN item i ON i.pk = e.pk AND i.sk = e.sk" : "item i";
  const order = key.map((column) => `${column} ${query.reverse ? "DESC" : "ASC"}`);
  values.push(query.limit ?? -1);
  const sql = `SELECT value, size FROM ${source} WHERE ${where.join(" AND ")} ORDER BY ${order} LIMIT ?`;
  return [sql, values];
}

function place({ table, index }: Position): string[] {
  return index ? [index.sk, table.pk, table.sk] : [table.sk];
}

/**
 * The range as `from` (inclusive) and `below` (exclusive). `below` is bytes, because it need not be
 * UTF-8: 0xff is above every character, so prefix + 0xff is above all strings with the prefix.
 */
function bounds({ range = {} }: Query): { from: string; below?: Buffer } {
  if ("prefix" in range) {
    return {
      from: range.prefix,
      below: Buffer.concat([Buffer.from(range.prefix), Buffer.of(0xff)]),
    };
  }
  const from = range.from ?? "";
  return range.to === undefined ? { from } : { from, below: Buffer.from(`${range.to}\0`) };
}
