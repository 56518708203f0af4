import { pagesIn } from "../store/pages.ts";
import { keyOfUser, objectKey, usersPartition } from "./keys.ts";
import type { Kind } from "./object.ts";
import type { ObjectOf } from "./object-of.ts";
import { objectIn, type Records } from "./records.ts";

/** The users, of one kind, of an object whose kind names its users, a page at a time. */
export async function* usersNamed<K extends Kind>(
  { store, kinds }: Records,
  used: { kind: Kind; id: string },
  kind: K,
): AsyncGenerator<ObjectOf[K][]> {
  const range = { prefix: objectKey(kind, "").pk };
  for await (const items of pagesIn(store, { pk: usersPartition(used.kind, used.id), range })) {
    const found = await store.getMany(items.map(keyOfUser));
    yield found.flatMap((item) => (item ? [objectIn<K>(kinds, item)] : []));
  }
}
