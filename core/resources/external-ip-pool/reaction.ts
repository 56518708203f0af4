import type { Reaction } from "../../kernel/relay/reaction.ts";
import { forgetNumbers } from "../../ports/ipam/own/forget-numbers.ts";
import { numbersOfPool } from "./numbers.ts";
import { notePoolLow } from "./usage.ts";

export const reaction: Reaction<"external_ip_pool"> = {
  /** A changed low mark, or added addresses, can change whether the pool is low. */
  changed: async (deps, before, after) => {
    if (before && before.generation !== after.generation) await notePoolLow(deps, after.id);
  },
  archived: ({ store }, pool) => forgetNumbers(store, numbersOfPool(pool)),
};
