import { isWritten } from "../store/optimistically.ts";
import { everyItem } from "../store/pages.ts";
import { absent, any, compare, eq, type Item, type Key, type Store } from "../store/store.ts";

/**
 * Slots limit how many of something run at a time in all processes. A slot is an item that its holder deletes, and that
 * expires if the process has died. The slots of a holder are numbered, so that two concurrent claims cannot get the
 * same one.
 */

/** The slots in a partition that are held at this time (ms). */
export async function slotsHeld(store: Store, pk: string, now: number): Promise<Item[]> {
  const slots = await everyItem(store, { pk });
  return slots.filter(({ until }) => Number(until) > now);
}

/** The least number that is not among these. */
export function firstFree(taken: Iterable<number>): number {
  const numbers = new Set(taken);
  for (let number = 0; ; number++) if (!numbers.has(number)) return number;
}

interface Claim {
  /** Identifies the claim, so that it can be repeated. */
  token: string;
  now: number;
  /** When the slot expires, in milliseconds. */
  until: number;
}

/** Claims a slot, with `facts` in its item. False if the slot is in use. */
export async function claimSlot(
  store: Store,
  key: Key,
  { token, now, until }: Claim,
  facts: Record<string, string | number>,
): Promise<boolean> {
  const put = { ...key, ...facts, token, until, expires: Math.ceil(until / 1000) };
  // The token makes a repetition safe: the store's client may send a successful claim again.
  const isFree = any(absent, compare("until", "le", now), eq("token", token));
  return isWritten(store, [{ put, if: isFree }]);
}

/** Releases a slot. Never throws, because a slot that was not released expires soon. */
export async function releaseSlot(store: Store, key: Key, token: string): Promise<void> {
  await store.transact([{ delete: key, if: eq("token", token) }]).catch(() => undefined);
}
