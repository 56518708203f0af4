import type { Reaction } from "../../kernel/relay/reaction.ts";
import { noteRoom } from "../../placement/capacity/note-room.ts";
import { onHubChanged } from "../../placement/reserve/capacity-freed.ts";
import { forgetGivingUp } from "../../ports/bare-metal/giving-up.ts";
import { forgetOrphans } from "../../ports/forget-orphans.ts";
import { requestSweep } from "./sweep-requests.ts";

export const reaction: Reaction<"hub"> = {
  /** Runs when the provider has changed the hub, or when the hub is reachable again. */
  changed: async (deps, before, after) => {
    const isBack =
      after.status.state === "HUB_STATE_READY" && before?.status.state !== after.status.state;
    const isChanged = before?.generation !== after.generation;
    // Also updates the lists of hubs with room.
    await (isBack || isChanged ? onHubChanged : noteRoom)(deps, after.id);
    // Sweeps the hub to find out whether it is reachable by its changed registration.
    if (isChanged) await requestSweep(deps.store, after.id);
  },
  removed: (deps, { id }) => noteRoom(deps, id),
  archived: async ({ store }, { id }) => {
    await forgetOrphans(store, { kind: "hub", id });
    await forgetGivingUp(store, id);
  },
};
