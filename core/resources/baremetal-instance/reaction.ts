import type { Reaction } from "../../kernel/relay/reaction.ts";
import { onHostsMoved } from "../../placement/reserve/capacity-freed.ts";
import { goOnWithRepair, hasRepairToDo } from "./repair.ts";

/**
 * Wakes the operations that wait for a host that the instance has released, and starts a repair that is due.
 */
export const reaction: Reaction<"baremetal_instance"> = {
  changed: async (deps, before, after) => {
    if (before) await onHostsMoved(deps, before, after, () => before.host_type);
    if (hasRepairToDo(after, deps.clock.now())) await goOnWithRepair(deps, after.id);
  },
  timeCame: goOnWithRepair,
};
