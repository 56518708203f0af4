import type { Deps } from "../../kernel/deps.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import type { Accepted, Match } from "../../kernel/request/checks.ts";
import { acceptDeletion } from "../../kernel/saga/delete.ts";
import { clusterSagas } from "./sagas.ts";

/** Accepts the deletion of a cluster. Throws NotFound, PreconditionFailed. */
export const deleteCluster = (
  deps: Deps,
  caller: Caller,
  id: string,
  match: Match = {},
): Promise<Accepted<"cluster">> =>
  acceptDeletion(deps, caller, {
    kind: "cluster",
    id,
    saga: clusterSagas.delete,
    match,
    // A failed change no longer matters; that the cluster was never made still does.
    condemned: ({ failure, ...rest }) => ({
      ...rest,
      ...(failure && !rest.published && { failure }),
    }),
  });
