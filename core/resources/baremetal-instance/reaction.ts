import type { Reaction } from "../../kernel/relay/reaction.ts";
import { onHostsMoved } from "../../placement/reserve/capacity-freed.ts";
import { goOnWithRepair, hasRepairToDo } from "./repair.ts";

/** Wakes the operations that wait for the host that an instance has released; and begins its repair. */
export const reaction: Reaction<"baremetal_instance"> = {
  changed: async (deps, before, after) => {
    if (before) await onHostsMoved(deps, before, after, () => before.host_type);
    if (hasRepairToDo(after, deps.clock.now())) await goOnWithRepair(deps, after.id);
  },
  timeCame: goOnWithRepair,
};
