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
 * Numbers that NetBox may still show as they were. Each change of a number in our own table writes
 * an item in the same transaction. The item is deleted once NetBox shows the change. So changes
 * that a crash has interrupted are known, and are not reported as drift.
 */

/** A number, with a name under which NetBox shows or will show it. */
export interface PendingUpdate {
  key: Key;
  number: number;
  holder: string;
  /** The end of the following rest, in milliseconds; undefined if there is none. */
  until: number | undefined;
  /** How often the item was written, which detects another change. */
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

/** The write that accompanies a change of a number. */
export const notePending = (
  { name }: NumberPool,
  number: number,
  { holder, until }: NumberChange,
): Write => ({
  update: pendingUpdateKey(name, number, holder),
  set: { number, holder, ...(until !== undefined && { until }) },
  add: { turn: 1 },
});

/** The write once NetBox shows the change; it fails if the number has changed since. */
export const clearPending = ({ key, turn }: PendingUpdate): Write => ({
  delete: key,
  if: eq("turn", turn),
});

/** The pending updates of a pool, or of one of its numbers. */
export async function pendingUpdatesIn(
  store: Store,
  { name }: NumberPool,
  number?: number,
): Promise<PendingUpdate[]> {
  const range = number === undefined ? {} : { range: { prefix: pendingUpdatePrefix(number) } };
  const items = await everyItem(store, { pk: pendingUpdatePartition(name), ...range });
  return items.map((item) => itemSchema.parse(item));
}
