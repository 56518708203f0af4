import type { Store } from "../../core/kernel/store/store.ts";
import { inTurn } from "./scheduled-store.ts";

/** Every call waits a few turns of the event loop, so that requests meet anywhere between two calls. */
export const meeting = (store: Store, random: () => number): Store =>
  inTurn(store, async () => {
    for (let left = Math.floor(random() * 8); left > 0; left--)
      await new Promise((resolve) => setImmediate(resolve));
  });
