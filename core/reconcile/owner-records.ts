import { archiveKey, objectKey } from "../kernel/object/keys.ts";
import { isKindIn } from "../kernel/object/kind.ts";
import type { Records } from "../kernel/object/records.ts";
import type { Item } from "../kernel/store/store.ts";
import type { OwnershipTag } from "../ports/owner.ts";

/** The items of an owner in the store; both are absent for an owner that the store never had. */
interface OwnerRecord {
  live?: Item | undefined;
  archived?: Item | undefined;
}

/** Longer ids of tags are not read from the store. */
const longestId = 253;

/** A tag as a key of maps. */
export const textOf = ({ kind, id }: OwnershipTag): string => `${kind} ${id}`;

/**
 * The records of the owners in tags outside, by `textOf`. A tag can have any text: one that cannot be an owner's has no
 * record here. Strongly consistent.
 */
export async function ownerRecords(
  { store, kinds }: Records,
  tags: readonly OwnershipTag[],
): Promise<ReadonlyMap<string, OwnerRecord>> {
  const plausible = tags.flatMap(({ kind, id }) =>
    isKindIn(kinds, kind) && id !== "" && id.length <= longestId ? [{ kind, id }] : [],
  );
  const owners = [...new Map(plausible.map((tag) => [textOf(tag), tag])).values()];
  const items = await store.getMany(
    owners.flatMap(({ kind, id }) => [objectKey(kind, id), archiveKey(kind, id)]),
  );
  return new Map(
    owners.map((tag, n) => [textOf(tag), { live: items[2 * n], archived: items[2 * n + 1] }]),
  );
}
