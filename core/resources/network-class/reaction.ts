import type { Reaction } from "../../kernel/relay/reaction.ts";
import { forgetNumbers } from "../../ports/ipam/own/forget-numbers.ts";
import { poolsOf } from "./pools.ts";

export const reaction: Reaction<"network_class"> = {
  async archived({ store }, networkClass) {
    for (const { pool } of poolsOf(networkClass)) await forgetNumbers(store, pool);
  },
};
