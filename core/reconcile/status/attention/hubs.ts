import { type Hub, unobservedSince } from "../../../resources/hub/model.ts";
import { hubStatusShown } from "../../../resources/hub/shown.ts";
import type { Unwell } from "../../../resources/hub/unwell.ts";
import { hubsInStatus, type UnwellHub, wrongSince } from "../hubs.ts";
import type { Attention } from "../schema.ts";
import { type AttentionDeps, readOfEach } from "./source.ts";

/** The states of hubs that are unreachable or not watched; cordoned hubs may also be unwatched. */
const asked: readonly Unwell[] = ["UNREACHABLE", "UNOBSERVED", "CORDONED"];

/** Hubs that do not report or are unreachable, and hubs whose agent cannot watch every kind. */
export async function troubledHubs(
  deps: AttentionDeps,
  unwell: readonly UnwellHub[],
): Promise<Attention[]> {
  const read = asked.flatMap((as) =>
    unwell.filter((each) => each.unwell === as).slice(0, readOfEach),
  );
  return (await hubsInStatus(deps, read)).flatMap(ofHub);
}

function ofHub(hub: Hub): Attention[] {
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
