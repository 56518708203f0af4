import type { Key } from "../store/store.ts";

/** Parts of keys. */

/** The key of the only item of a partition. */
export const single = (pk: string): Key => ({ pk, sk: "-" });

/** A sequence number as a sort key, padded so that texts sort as numbers. */
export const padded = (sequence: number): string => String(sequence).padStart(12, "0");

/** Spreads ids over shards; an id always gets the same shard. */
export function shardOf(id: string, shards: number): number {
  let hash = 0;
  for (let i = 0; i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) >>> 0;
  return hash % shards;
}
