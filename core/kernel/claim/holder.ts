import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";

/** Who holds numbers, and how its record keeps them: what a claim must know of a kind. */
export interface Holder<K extends Kind> {
  kind: K;
  id: string;
  /** The numbers that the record says it holds of the pool in question. */
  held(object: ObjectOf[K]): number[];
  /** The record with these numbers in it. */
  hold(object: ObjectOf[K], numbers: number[]): ObjectOf[K];
  /** The record without its numbers of that pool. */
  letGo(object: ObjectOf[K]): ObjectOf[K];
}
