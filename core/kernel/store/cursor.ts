/**
 * Cursors of queries: the key of the last item of a page, in base64url. Clients send cursors back, so
 * nothing in a cursor is trusted.
 */

import * as z from "zod";
import { AppError } from "../../error.ts";
import { byteOrder } from "./byte-order.ts";
import { indexKey } from "./check.ts";
import type { Index, Item, Key, Query } from "./store.ts";

/** The keys of an item in the table and, for a query of an index, in that index. */
export interface Position {
  table: Key;
  index?: Key;
}

export function positionOf(item: Item, index?: Index): Position {
  const table = { pk: item.pk, sk: item.sk };
  const inIndex = index && indexKey(item, index);
  return inIndex ? { table, index: inIndex } : { table };
}

/** The cursor behind an item, from which a query continues. */
export const cursorAt = (item: Item, index?: Index): string =>
  encodeCursor(positionOf(item, index));

const keySchema = z.strictObject({ pk: z.string().min(1), sk: z.string().min(1) });
const tableSchema = z.strictObject({ table: keySchema });
const indexSchema = z.strictObject({ table: keySchema, index: keySchema });

export function encodeCursor(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/**
 * The position in a cursor, from which the query continues. Throws Invalid for a cursor that is malformed
 * or of another query.
 */
export function decodeCursor(cursor: string, query: Query): Position {
  const parsed = (query.index ? indexSchema : tableSchema).safeParse(parse(cursor));
  if (!parsed.success) throw invalidCursor();
  const position: Position = parsed.data;
  const { pk, sk } = position.index ?? position.table;
  if (pk !== query.pk || !inRange(sk, query)) throw invalidCursor();
  return position;
}

export function invalidCursor(cause?: unknown): AppError {
  const message = "is not a page token of this list";
  return new AppError("Invalid", `page_token ${message}`, {
    cause,
    violations: [{ field: "page_token", message }],
  });
}

/** Whether a sort key is within a query's range. */
export function inRange(sk: string, { range = {} }: Query): boolean {
  if ("prefix" in range) return sk.startsWith(range.prefix);
  if (range.from !== undefined && byteOrder(sk, range.from) < 0) return false;
  return range.to === undefined || byteOrder(sk, range.to) <= 0;
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch (error) {
    throw invalidCursor(error);
  }
}
