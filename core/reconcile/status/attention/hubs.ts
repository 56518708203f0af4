import { type Hub, unobservedSince } from "../../../resources/hub/model.ts";
import { hubStatusShown } from "../../../resources/hub/shown.ts";
import { wrongSince } from "../hubs.ts";
import type { Attention } from "../schema.ts";

/** A hub that does not report or is unreachable, or whose agent cannot watch every kind. */
export function ofHub(hub: Hub): Attention[] {
  const { id, metadata } = hub;
  const { state, message = "it is not reached" } = hubStatusShown(hub);
  const of = (reason: Attention["reason"], since: string): Attention[] => [
    {
      ...{ reason, kind: "hub", id, name: metadata.name, tenant: "shared", message, since },
      command: `slipway hub get ${id} -o yaml`,
    },
  ];
  if (state === "HUB_STATE_UNREACHABLE") return of("HubUnreachable", wrongSince(hub) ?? "");
  const unobserved = unobservedSince(hub);
  return unobserved === undefined ? [] : of("HubUnobserved", unobserved);
}
