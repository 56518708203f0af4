import type { Reaction } from "../../kernel/relay/reaction.ts";
import { endPause } from "./cursor.ts";

export const reaction: Reaction<"webhook"> = {
  /** Its owner may have enabled the webhook again, or repaired it. */
  changed: async (deps, before, { id, metadata, generation }) => {
    if (before?.generation !== generation)
      await endPause(deps, { tenant: metadata.tenant, webhook: id });
  },
};
