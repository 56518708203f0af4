import type { Holder } from "../../core/kernel/claim/holder.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../core/kernel/object/object-of.ts";

/** Holders of numbers that keep them in an annotation: who gives numbers out does not care where. */

/** The numbers that an object of any kind holds. */
export const heldIn = ({ metadata }: ObjectOf[Kind]): number[] =>
  metadata.annotations.numbers?.split(",").map(Number) ?? [];

export const holderOf = <K extends Kind>(kind: K, id: string): Holder<K> => ({
  kind,
  id,
  held: heldIn,
  hold: (object, numbers) => annotated(object, { numbers: `${numbers}` }),
  release: (object) => annotated(object, {}),
});

const annotated = <O extends ObjectOf[Kind]>(
  object: O,
  annotations: Record<string, string>,
): O => ({
  ...object,
  metadata: { ...object.metadata, annotations },
});
