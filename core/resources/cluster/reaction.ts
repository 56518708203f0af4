import type { Reaction } from "../../kernel/relay/reaction.ts";
import { onClusterChanged } from "./capacity-freed.ts";

export const reaction: Reaction<"cluster"> = {
  changed: async (deps, before, after) => {
    if (before) await onClusterChanged(deps, before, after);
  },
};
