import * as z from "zod";
import {
  pendingUpdateKey,
  pendingUpdatePartition,
  pendingUpdatePrefix,
} from "../../../kernel/object/number-keys.ts";
import { everyItem } from "../../../kernel/store/pages.ts";
import { eq, type Key, type Store, type Write } from "../../../kernel/store/store.ts";
import type { NumberPool } from "../ipam.ts";
import type { NumberChange } from "../own/journal.ts";

/**
 * Numbers that NetBox may show as they were before. An item goes with each change of a number in our own
 * table, in the same transaction, and goes away once NetBox shows the number as it is. So what a crash has
 * cut off is known, and is no drift.
 */

/** A number, and a name under which NetBox may show it, or will. */
export interface PendingUpdate {
  key: Key;
  number: number;
  holder: string;
  /** The end of the rest that follows, in milliseconds; undefined where none does. */
  until: number | undefined;
  /** How often the item was written: another change makes it another. */
  turn: number;
}

const itemSchema = z
  .object({
    pk: z.string(),
    sk: z.string(),
    number: z.int(),
    holder: z.string(),
    until: z.number().optional(),
    turn: z.int(),
  })
  .transform(({ pk, sk, until, ...rest }): PendingUpdate => ({ key: { pk, sk }, until, ...rest }));

/** The write that goes with a change of a number. */
export const notePending = (
  { name }: NumberPool,
  number: number,
  { holder, until }: NumberChange,
): Write => ({
  update: pendingUpdateKey(name, number, holder),
  set: { number, holder, ...(until !== undefined && { until }) },
  add: { turn: 1 },
});

/** The write that says that NetBox shows a number as it is; refused when the number has changed since. */
export const clearPending = ({ key, turn }: PendingUpdate): Write => ({
  delete: key,
  if: eq("turn", turn),
});

/** All of a pool, or those of one of its numbers. */
export async function pendingUpdatesIn(
  store: Store,
  { name }: NumberPool,
  number?: number,
): Promise<PendingUpdate[]> {
  const range = number === undefined ? {} : { range: { prefix: pendingUpdatePrefix(number) } };
  const items = await everyItem(store, { pk: pendingUpdatePartition(name), ...range });
  return items.map((item) => itemSchema.parse(item));
}
