import type { Key } from "../store/store.ts";
import { padded, single } from "./key-parts.ts";

/** Keys of pools of numbers. */

/** A pool of numbers (VLAN ids, prefixes, addresses): its watermark and counters. */
export const numbersKey = (pool: string): Key => single(`numbers#${pool}`);
/** Whether an outside allocator has ever allocated numbers of a pool. */
export const poolUseKey = (pool: string): Key => single(`pool-use#${pool}`);
/** The use of a pool in the last report of an outside allocator. */
export const poolSeenKey = (pool: string): Key => single(`pool-seen#${pool}`);
/** The holder of a number of a pool. */
export const numberKey = (pool: string, number: number): Key => single(`number#${pool}#${number}`);
/** The allocated numbers of a pool in an outside allocator, with their holders. */
export const allocatedNumberPartition = (pool: string): string => `given#${pool}`;
export const allocatedNumberKey = (pool: string, number: number): Key => ({
  pk: allocatedNumberPartition(pool),
  sk: padded(number),
});
/** Foreign numbers of a pool: in use outside, by an unknown owner. */
export const foreignNumberPartition = (pool: string): string => `outside#${pool}`;
export const foreignNumberKey = (pool: string, number: number): Key => ({
  pk: foreignNumberPartition(pool),
  sk: padded(number),
});
/** Pending updates: numbers of a pool whose mirror may still be outdated. */
export const pendingUpdatePartition = (pool: string): string => `unwritten#${pool}`;
export const pendingUpdatePrefix = (number: number): string => `${padded(number)}#`;
export const pendingUpdateKey = (pool: string, number: number, holder: string): Key => ({
  pk: pendingUpdatePartition(pool),
  sk: `${pendingUpdatePrefix(number)}${holder}`,
});
/** Released numbers of a pool, by the time from which they can be used again. */
export const restingPartition = (pool: string): string => `resting#${pool}`;
