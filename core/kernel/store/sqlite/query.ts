import type { SQLInputValue } from "node:sqlite";
import type { Position } from "../cursor.ts";
import type { Item, Query } from "../store.ts";

/** SQL with its values. */
export type Select = [sql: string, values: SQLInputValue[]];

/** Selects the number of items of a query as `{count}`, whatever its limit. It reads keys alone. */
export function selectCount(query: Query, start: Position | undefined): Select {
  const { where, values } = selection(query, start);
  return [`SELECT COUNT(*) AS count FROM ${keysOf(query)} WHERE ${where}`, values];
}

/**
 * Selects the keys of items, up to the query's limit, after skipping `behind` of them, as `{pk, sk, isk}`. It reads
 * keys alone.
 */
export function selectKeys(query: Query, start: Position | undefined, behind = 0): Select {
  const { key, where, values } = selection(query, start);
  const [isk = ""] = key;
  const columns = `${isk} AS isk, ${query.index ? "e.pk AS pk, e.sk AS sk" : "i.pk AS pk, i.sk AS sk"}`;
  const sql = `SELECT ${columns} FROM ${keysOf(query)} WHERE ${where} ${inOrder(query, key)} LIMIT ? OFFSET ?`;
  return [sql, [...values, query.limit ?? -1, behind]];
}

/** A row of `selectKeys` as an item without its other attributes. */
export function keysIn({ index, pk }: Query, row: Record<string, unknown>): Item {
  const table = { pk: String(row.pk), sk: String(row.sk) };
  return index ? { ...table, [`${index}pk`]: pk, [`${index}sk`]: String(row.isk) } : table;
}

const keysOf = ({ index }: Query): string => (index ? "entry e" : "item i");

const inOrder = ({ reverse }: Query, key: string[]): string =>
  `ORDER BY ${key.map((column) => `${column} ${reverse ? "DESC" : "ASC"}`)}`;

/** The columns of a query's order, and the condition on its items with the values for it. */
function selection(query: Query, start: Position | undefined) {
  const { from, below } = bounds(query);
  const key = query.index ? ["isk", "e.pk", "e.sk"] : ["i.sk"];
  const where = query.index ? ["name = ?", "ipk = ?"] : ["i.pk = ?"];
  const values: SQLInputValue[] = query.index ? [query.index, query.pk] : [query.pk];
  const bound = (sql: string, ...bound: SQLInputValue[]) => {
    where.push(sql);
    values.push(...bound);
  };

  // The position of the cursor is within the range, so it replaces that bound.
  if (start && !query.reverse) bound(`(${key}) > (${key.map(() => "?")})`, ...place(start));
  else bound(`${key[0]} >= ?`, from);
  if (start && query.reverse) bound(`(${key}) < (${key.map(() => "?")})`, ...place(start));
  else if (below) bound(`${key[0]} < CAST(? AS TEXT)`, below);
  return { key, where: where.join(" AND "), values };
}

function place({ table, index }: Position): string[] {
  return index ? [index.sk, table.pk, table.sk] : [table.sk];
}

/**
 * The strings with a prefix, as `from` (inclusive) and `below` (exclusive). `below` is bytes that need not be UTF-8:
 * 0xff sorts after every character, so prefix + 0xff is after all strings with the prefix.
 */
export const beginningWith = (prefix: string): { from: string; below: Buffer } => ({
  from: prefix,
  below: Buffer.concat([Buffer.from(prefix), Buffer.of(0xff)]),
});

/** The range as `from` (inclusive) and `below` (exclusive). */
function bounds({ range = {} }: Query): { from: string; below?: Buffer } {
  if ("prefix" in range) return beginningWith(range.prefix);
  const from = range.from ?? "";
  return range.to === undefined ? { from } : { from, below: Buffer.from(`${range.to}\0`) };
}
