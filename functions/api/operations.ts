import type { Deps } from "../../core/kernel/deps.ts";
import type { Caller } from "../../core/kernel/request/caller.ts";
import type { Accepted } from "../../core/kernel/request/checks.ts";
import type { Area } from "../../core/kernel/request/permissions.ts";
import { cancelOperation } from "../../core/kernel/saga/cancel.ts";
import { resumeOperation } from "../../core/kernel/saga/resume.ts";
import { operationLive } from "../../core/resources/operation/live.ts";
import { acceptedAnswer } from "./answer.ts";
import { collectionRoutes } from "./collection.ts";
import { emptyBody, prefixes, type Route, route } from "./route.ts";
import { schemaIn } from "./schemas.ts";

type Command = (deps: Deps, caller: Caller, id: string) => Promise<Accepted<"operation">>;

function action(area: Area, verb: "cancel" | "resume", description: string, act: Command): Route {
  return route({
    area,
    subject: "operation",
    verb,
    method: "POST",
    path: `${prefixes[area]}/operations/{id}/${verb}`,
    summary: `${verb === "cancel" ? "Cancel" : "Resume"} an operation`,
    description,
    body: emptyBody,
    response: () => schemaIn(area, "operation"),
    handle: async (call) =>
      acceptedAnswer(call, await act(call.deps, call.caller, call.param("id"))),
  });
}

export const operationRoutes: Route[] = (["public", "private"] as const).flatMap((area) => [
  ...collectionRoutes(area, { kind: "operation", live: operationLive }),
  action(
    area,
    "cancel",
    "Asks the operation to stop and to release everything that it claimed.",
    cancelOperation,
  ),
  action(
    area,
    "resume",
    "Continues an operation that is stuck, once a person has removed the cause.",
    resumeOperation,
  ),
]);
