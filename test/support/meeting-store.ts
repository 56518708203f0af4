import type { Store } from "../../core/kernel/store/store.ts";

/** Every call waits a few turns of the event loop, so that requests meet anywhere between two calls. */
export function meeting(store: Store, random: () => number): Store {
  const turns = async () => {
    for (let left = Math.floor(random() * 8); left > 0; left--)
      await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    get: (key) => turns().then(() => store.get(key)),
    getMany: (keys) => turns().then(() => store.getMany(keys)),
    query: (query) => turns().then(() => store.query(query)),
    transact: (writes) => turns().then(() => store.transact(writes)),
  };
}
