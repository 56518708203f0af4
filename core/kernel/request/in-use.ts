import { AppError, type InUse } from "../../error.ts";
import { keyOfUser, usersPartition } from "../object/keys.ts";
import { definitionOf } from "../object/kind.ts";
import { type Kind, pluralOf } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { objectIn, type Records } from "../object/records.ts";
import { closed, usedId, usersOf } from "../object/uses.ts";
import { pagesIn } from "../store/pages.ts";
import type { Write } from "../store/store.ts";
import { type Caller, sees } from "./caller.ts";

/**
 * Writes that close an object to new users, for the transaction that deletes it or accepts its deletion; none for a
 * kind without references to it. Throws FailedPrecondition when the object is in use, with the users that the caller
 * sees.
 */
export async function closing(
  records: Records,
  caller: Caller,
  object: ObjectOf[Kind],
): Promise<Write[]> {
  const { referencedByOthers } = definitionOf(records.kinds, object.kind);
  if (!referencedByOthers) return [];
  const users = await usersOf(records, object);
  if (users.length === 0) return closed(records.kinds, object);
  const seen = referencedByOthers.named ? await seenUsers(records, caller, object) : [];
  const inUse = users.map(({ kind, count }) => {
    const own = seen.filter((user) => user.kind === kind);
    const objects = own.map(({ id, metadata }) => ({ id, name: metadata.name }));
    return { kind, count: Math.max(count, objects.length), objects };
  });
  const what = `${worded(object.kind)} '${object.id}'`;
  throw new AppError(
    "FailedPrecondition",
    `cannot delete ${what}: in use by ${inUse.flatMap(phrases).join(", ")}`,
    { inUse },
  );
}

/** The limits of a refusal: users that it names, and users that are read to find some that the caller sees. */
const most = { named: 10, read: 100 };

/** Users of an object that the caller sees, the first by kind and id. */
async function seenUsers(
  { store, kinds }: Records,
  caller: Caller,
  object: ObjectOf[Kind],
): Promise<ObjectOf[Kind][]> {
  const seen: ObjectOf[Kind][] = [];
  let read = 0;
  const pk = usersPartition(object.kind, usedId(kinds, object));
  for await (const uses of pagesIn(store, { pk, limit: most.named })) {
    for (const item of await store.getMany(uses.map(keyOfUser))) {
      // The user may have been deleted since.
      const user = item && objectIn(kinds, item);
      if (user && sees(kinds, caller, user)) seen.push(user);
    }
    read += uses.length;
    if (seen.length >= most.named || read >= most.read) break;
  }
  return seen.slice(0, most.named);
}

const worded = (kind: string): string => kind.replaceAll("_", " ");

/** The users of one kind in words: `subnet 'web' (0198…)`, `2 other subnets`. */
function phrases({ kind, count, objects }: InUse & { kind: Kind }): string[] {
  const named = objects.map(({ id, name }) =>
    id === name ? `${worded(kind)} '${name}'` : `${worded(kind)} '${name}' (${id})`,
  );
  const rest = count - objects.length;
  if (rest === 0) return named;
  const more = worded(rest === 1 ? kind : pluralOf(kind));
  return [...named, named.length > 0 ? `${rest} other ${more}` : `${rest} ${more}`];
}
