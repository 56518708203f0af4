import type { Deps } from "../deps.ts";
import { changesOf, storedAs } from "../store/change.ts";
import { checkWrites, keyOf } from "../store/check.ts";
import type { Store } from "../store/store.ts";

/** A dry run: the request is fully checked, and nothing is stored. */
export interface Rehearsal {
  deps: Deps;
  /** Whether the dry run generated this id, so that it names no object. */
  hasInvented(id: string): boolean;
}

/** `deps` with which a request is refused for the same reasons as without a dry run, and stores nothing. */
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

/** Refuses transactions as the store does, by the present content of the store. */
function rehearsedStore(store: Store): Store {
  return {
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    query: (query) => store.query(query),
    count: (query) => store.count(query),
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
