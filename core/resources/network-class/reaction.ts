import type { Reaction } from "../../kernel/relay/reaction.ts";
import { forgetNumbers } from "../../ports/ipam/own/forget-numbers.ts";
import { noteLowPools } from "./low.ts";
import { classPoolsOf } from "./pools.ts";

export const reaction: Reaction<"network_class"> = {
  /** A changed low mark, or added numbers, can change which pools are low. */
  changed: async (deps, before, after) => {
    if (before?.generation !== after.generation) await noteLowPools(deps, after.id);
  },
  async archived({ store }, networkClass) {
    for (const { pool } of classPoolsOf(networkClass)) await forgetNumbers(store, pool);
  },
};
