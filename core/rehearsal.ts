import type { Deps } from "./deps.ts";
import { changesOf, storedAs } from "./kernel/store/change.ts";
import { checkWrites, keyOf } from "./kernel/store/check.ts";
import type { Store } from "./kernel/store/store.ts";

/** A request that is only tried: all that it does is judged as ever, and nothing of it stays. */
export interface Rehearsal {
  deps: Deps;
  /** Whether this id was made up in it, and so is that of nothing. */
  hasInvented(id: string): boolean;
}

/** What is accepted over these `deps` is refused for the same reasons, and writes and keeps nothing. */
export function rehearsal(deps: Deps): Rehearsal {
  const invented = new Set<string>();
  const nothing = async (): Promise<void> => {};
  return {
    deps: {
      ...deps,
      store: rehearsedStore(deps.store),
      secrets: { get: (reference) => deps.secrets.get(reference), put: nothing, remove: nothing },
      newId: () => {
        const id = deps.newId();
        invented.add(id);
        return id;
      },
    },
    hasInvented: (id) => invented.has(id),
  };
}

/** Its transactions are refused as the store's own are, as far as what is stored now says. */
function rehearsedStore(store: Store): Store {
  return {
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    query: (query) => store.query(query),
    async transact(writes) {
      checkWrites(writes);
      const items = await store.getMany(writes.map(keyOf));
      changesOf(
        writes,
        items.map((item) => item && storedAs(item)),
      );
    },
  };
}
