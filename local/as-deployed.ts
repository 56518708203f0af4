import { AsyncLocalStorage } from "node:async_hooks";
import { channel } from "node:diagnostics_channel";
import type { Deps } from "../core/kernel/deps.ts";
import {
  refuseUse,
  type StoreUse,
  type UsedItems,
  withinStoreRights,
} from "../core/kernel/store/rights.ts";
import type { Index, Store } from "../core/kernel/store/store.ts";
import type { Hubs } from "../core/ports/hub/hub.ts";
import {
  includes,
  refuseUnless,
  type SecretUse,
  withinRights,
} from "../core/ports/secrets/rights.ts";
import type { SecretFamily, Secrets } from "../core/ports/secrets/secrets.ts";
import { type FunctionWithRights, secretRights } from "../functions/runtime/secret-rights.ts";
import {
  includesUse,
  partOf,
  type StorePart,
  storeRights,
} from "../functions/runtime/store-rights.ts";

/**
 * On a laptop all functions are one process. Each has the rights that it has on AWS here too, so that a grant that is
 * missing shows. What is no function, such as the seed of the laptop's world, may do everything.
 */
const running = new AsyncLocalStorage<FunctionWithRights>();

/** A use of a secret by a function. */
export interface UsedSecret {
  by: FunctionWithRights;
  use: SecretUse;
  family: SecretFamily | undefined;
}

/** Tells each use of a secret by a function to who wants to know. */
export const usedSecrets = channel("slipway.used-secrets");

/** Does something as this function would. */
export const runningAs = <T>(name: FunctionWithRights, work: () => T): T => running.run(name, work);

/** The secrets as the function that runs has them. */
export const heldSecrets = (secrets: Secrets): Secrets => withinRights(secrets, mayUse);

function mayUse(use: SecretUse, family: SecretFamily | undefined): boolean {
  const by = running.getStore();
  if (by === undefined) return true;
  usedSecrets.publish({ by, use, family } satisfies UsedSecret);
  return includes(secretRights[by], use, family);
}

/**
 * The hubs as the function that runs has them. The client that another one has made is at hand here, while on AWS each
 * reads the credentials for its own.
 */
export const heldHubs = (hubs: Hubs): Hubs => ({
  async client(...asked) {
    refuseUnless(mayUse("read", "hub-credentials"), "read", "hub-credentials");
    return hubs.client(...asked);
  },
});

/** A use of the store by a function: of a part, or of an index. */
export type UsedPart = { by: FunctionWithRights } & (
  | { use: StoreUse; part: StorePart | undefined }
  | { index: Index }
);

/** Tells each use of the store by a function to who wants to know. */
export const usedParts = channel("slipway.used-parts");

/** The store as the function that runs has it. */
export const heldStore = (store: Store): Store =>
  withinStoreRights(store, (used) => {
    const by = running.getStore();
    if (by !== undefined && !mayUseItems(by, used)) refuseUse(used);
  });

function mayUseItems(by: FunctionWithRights, used: UsedItems): boolean {
  const rights = storeRights[by];
  if ("index" in used) {
    usedParts.publish({ by, index: used.index } satisfies UsedPart);
    return rights.indexes.includes(used.index);
  }
  const { use, pk } = used;
  const part = partOf(pk);
  usedParts.publish({ by, use, part } satisfies UsedPart);
  return part !== undefined && includesUse(rights, use, part);
}

/** The dependencies of a function that is not called by the platform. */
export function depsOf<D extends Pick<Deps, "secrets" | "store">>(
  name: FunctionWithRights,
  deps: D,
): D {
  const { secrets, store } = deps;
  return {
    ...deps,
    store: {
      get: (key) => runningAs(name, () => store.get(key)),
      getMany: (keys) => runningAs(name, () => store.getMany(keys)),
      query: (query) => runningAs(name, () => store.query(query)),
      count: (query) => runningAs(name, () => store.count(query)),
      transact: (writes, options) => runningAs(name, () => store.transact(writes, options)),
    } satisfies Store,
    secrets: {
      get: (reference) => runningAs(name, () => secrets.get(reference)),
      put: (reference, value) => runningAs(name, () => secrets.put(reference, value)),
      remove: (reference) => runningAs(name, () => secrets.remove(reference)),
    } satisfies Secrets,
  };
}
