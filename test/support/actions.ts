import type { Deps } from "../../core/kernel/deps.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../core/kernel/object/object-of.ts";
import { type Acceptance, type ActionRequest, act } from "../../core/kernel/request/action.ts";
import type { Caller } from "../../core/kernel/request/caller.ts";
import { actions as ofClusters } from "../../core/resources/cluster/actions.ts";
import { actions as ofOperations } from "../../core/resources/operation/actions.ts";

/** Actions without the API: as its routes carry them out. */

interface InTransaction<K extends Kind> {
  accept(
    object: ObjectOf[K],
    request: ActionRequest<unknown>,
  ): Acceptance<K> | Promise<Acceptance<K>>;
}

const asking =
  <K extends Kind>(kind: K, action: InTransaction<K>) =>
  (deps: Deps, caller: Caller, id: string) =>
    act(kind, action, { deps, caller, id, match: {}, input: undefined });

export const cancelOperation = asking("operation", ofOperations.cancel);
export const resumeOperation = asking("operation", ofOperations.resume);
export const retryCluster = asking("cluster", ofClusters.retry);
