import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";

/** A holder's name in other systems' records, such as `cluster/<id>`. */
export const holderName = ({ kind, id }: { kind: string; id: string }): string => `${kind}/${id}`;

/** A kind whose objects hold numbers, and how its record stores them. */
export interface Holder<K extends Kind> {
  kind: K;
  id: string;
  /** The numbers of the pool that the record holds. */
  held(object: ObjectOf[K]): number[];
  /** The record with these numbers in it. */
  hold(object: ObjectOf[K], numbers: number[]): ObjectOf[K];
  /** The record without its numbers of that pool. */
  release(object: ObjectOf[K]): ObjectOf[K];
}
