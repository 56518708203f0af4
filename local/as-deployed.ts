import { AsyncLocalStorage } from "node:async_hooks";
import { channel } from "node:diagnostics_channel";
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
import type { ProcessDeps } from "./process-deps.ts";

/**
 * The function whose rights apply to the current call. On a laptop all functions share one process; each is limited to
 * its rights on AWS, so that a missing grant shows. Code that belongs to no function, such as the seed, may do
 * everything.
 */
const running = new AsyncLocalStorage<FunctionWithRights>();

/** A use of a secret by a function. */
export interface UsedSecret {
  by: FunctionWithRights;
  use: SecretUse;
  family: SecretFamily | undefined;
}

/** Publishes each use of a secret by a function; tests subscribe to it. */
export const usedSecrets = channel("slipway.used-secrets");

/** Runs `work` with the rights of this function. */
export const runningAs = <T>(name: FunctionWithRights, work: () => T): T => running.run(name, work);

/** The secrets, limited to the rights of the current function. */
export const heldSecrets = (secrets: Secrets): Secrets => withinRights(secrets, mayUse);

function mayUse(use: SecretUse, family: SecretFamily | undefined): boolean {
  const by = running.getStore();
  if (by === undefined) return true;
  usedSecrets.publish({ by, use, family } satisfies UsedSecret);
  return includes(secretRights[by], use, family);
}

/**
 * The hubs, limited to the rights of the current function. Clients are shared in this process, whereas on AWS each
 * function reads the credentials for its own client; so each use of a client needs the right to read them.
 */
export const heldHubs = (hubs: Hubs): Hubs => ({
  async client(...asked) {
    refuseUnless(mayUse("read", "hub-credentials"), "read", "hub-credentials");
    return hubs.client(...asked);
  },
});

/** A use of the store by a function: the name of a part or of an index. */
export type UsedPart = { by: FunctionWithRights } & (
  | { use: StoreUse; part: StorePart | undefined }
  | { index: Index }
);

/** Publishes each use of the store by a function; tests subscribe to it. */
export const usedParts = channel("slipway.used-parts");

/** The store, limited to the rights of the current function. */
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

/** `deps` limited to the rights of a function that the platform does not call. */
export function depsOf<D extends Pick<ProcessDeps, "secrets" | "store">>(
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
