import type { JsonObject } from "../../core/kernel/input/shape.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import { type Action, act } from "../../core/kernel/request/action.ts";
import { kindActionsOf } from "../../core/kernel/request/api-of.ts";
import type { Caller } from "../../core/kernel/request/caller.ts";
import type { Accepted } from "../../core/kernel/request/checks.ts";
import type { RequestDeps } from "../../core/kernel/request/request-deps.ts";
import { actions as ofServers } from "../../core/resources/baremetal-instance/actions.ts";
import { rules as clusterRules } from "../../core/resources/cluster/api.ts";
import { actions as ofHosts } from "../../core/resources/host/actions.ts";
import { actions as ofOperations } from "../../core/resources/operation/actions.ts";
import { isRegisteredKind } from "../../functions/api/registry.ts";
import { apiOf } from "../../functions/api/schemas.ts";
import type { TestDeps } from "./deps.ts";
import { retryObject } from "./retry.ts";

/** Actions without the API: as its routes carry them out. */

const asking =
  <K extends Kind, Input>(kind: K, action: Action<K, Input>) =>
  async (deps: RequestDeps, caller: Caller, id: string, input?: Input): Promise<Accepted<K>> => {
    const done = await act(kind, action, { deps, caller, id, match: {}, input });
    if ("answer" in done) throw new Error("the action answers something else than its object");
    return done;
  };

export const cancelOperation = asking("operation", ofOperations.cancel);
/** What people ask of a host, by its verb. */
export const askOfHost = (
  deps: RequestDeps,
  caller: Caller,
  id: string,
  verb: keyof typeof ofHosts,
) =>
  asking("host", ofHosts[verb] as Action<"host">)(
    deps,
    caller,
    id,
    exampleOfAction("host", verb) ?? {},
  );
export const resumeOperation = asking("operation", ofOperations.resume);
export const retryCluster = (deps: TestDeps, caller: Caller, id: string) =>
  retryObject(deps, clusterRules, id, caller);
export const consentToRepair = asking("baremetal_instance", ofServers.consent);

/** A body that an action takes; undefined of one that takes none, and of what is no action. */
export const exampleOfAction = (subject: string, verb: string): JsonObject | undefined =>
  isRegisteredKind(subject) ? kindActionsOf(apiOf(subject))[verb]?.example : undefined;
