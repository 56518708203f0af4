import type { Reaction } from "../../kernel/relay/reaction.ts";
import { notePoolLow } from "../external-ip-pool/usage.ts";

export const reaction: Reaction<"external_ip"> = {
  changed: async (deps, before, { spec }) => {
    if (!before) await notePoolLow(deps, spec.pool.id);
  },
  archived: (deps, { spec }) => notePoolLow(deps, spec.pool.id),
};
