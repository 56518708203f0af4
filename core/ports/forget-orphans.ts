import { orphanPartition, orphansKey } from "../kernel/object/hub-keys.ts";
import { pagesIn } from "../kernel/store/pages.ts";
import { indexPage, type Store } from "../kernel/store/store.ts";

/** Forgets the orphans of a hub or a site that was deleted: no sweep will check them again. */
export async function forgetOrphans(
  store: Store,
  { kind, id }: { kind: "hub" | "site"; id: string },
): Promise<void> {
  for await (const items of pagesIn(store, { pk: orphanPartition(kind, id), limit: indexPage }))
    await store.transact(items.map(({ pk, sk }) => ({ delete: { pk, sk } })));
  await store.transact([{ delete: orphansKey(kind, id) }]);
}
