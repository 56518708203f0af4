import type { Reaction } from "../../kernel/relay/reaction.ts";
import { onHubChanged } from "../../placement/capacity-freed.ts";
import { forgetOrphans } from "../../ports/forget-orphans.ts";
import { requestSweep } from "./sweep-requests.ts";

export const reaction: Reaction<"hub"> = {
  /** Called when the provider has changed the hub, or when it is reached again. */
  changed: async (deps, before, after) => {
    const isBack =
      after.status.state === "HUB_STATE_READY" && before?.status.state !== after.status.state;
    const isChanged = before?.generation !== after.generation;
    if (isBack || isChanged) await onHubChanged(deps, after.id);
    // Sweeps the hub, to find out whether it can be reached as it is registered now.
    if (isChanged) await requestSweep(deps.store, after.id);
  },
  archived: ({ store }, { id }) => forgetOrphans(store, { kind: "hub", id }),
};
