import type { Key } from "../store/store.ts";
import { padded, single } from "./key-parts.ts";

/** Keys of pools of numbers. */

/** A pool of numbers (VLAN ids, prefixes, addresses): its watermark and counters. */
export const numbersKey = (pool: string): Key => single(`numbers#${pool}`);
/** Whether numbers of a pool were ever given out by an allocator that keeps its books elsewhere. */
export const poolUseKey = (pool: string): Key => single(`pool-use#${pool}`);
/** How full such an allocator said that a pool is. */
export const poolSeenKey = (pool: string): Key => single(`pool-seen#${pool}`);
/** The holder of a number of a pool. */
export const numberKey = (pool: string, number: number): Key => single(`number#${pool}#${number}`);
/** The numbers of a pool that an allocator has given out that keeps its books elsewhere, with their holders. */
export const allocatedNumberPartition = (pool: string): string => `given#${pool}`;
export const allocatedNumberKey = (pool: string, number: number): Key => ({
  pk: allocatedNumberPartition(pool),
  sk: padded(number),
});
/** Foreign numbers of a pool: numbers that something outside uses whose owner nobody knows. */
export const foreignNumberPartition = (pool: string): string => `outside#${pool}`;
export const foreignNumberKey = (pool: string, number: number): Key => ({
  pk: foreignNumberPartition(pool),
  sk: padded(number),
});
/** Numbers of a pool that another system shows, where it may show them as they were before. */
export const pendingUpdatePartition = (pool: string): string => `unwritten#${pool}`;
export const pendingUpdatePrefix = (number: number): string => `${padded(number)}#`;
export const pendingUpdateKey = (pool: string, number: number, holder: string): Key => ({
  pk: pendingUpdatePartition(pool),
  sk: `${pendingUpdatePrefix(number)}${holder}`,
});
/** Released numbers of a pool, by the end of their rest. */
export const restingPartition = (pool: string): string => `resting#${pool}`;
