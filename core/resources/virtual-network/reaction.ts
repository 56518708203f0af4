import type { Reaction } from "../../kernel/relay/reaction.ts";
import { noteLowPools } from "../network-class/low.ts";

/** A network holds numbers of its class from its order until its deletion. */
export const reaction: Reaction<"virtual_network"> = {
  changed: async (deps, before, { held, spec }) => {
    if (!before && held) await noteLowPools(deps, spec.network_class.id);
  },
  archived: async (deps, { held, spec }) => {
    if (held) await noteLowPools(deps, spec.network_class.id);
  },
};
