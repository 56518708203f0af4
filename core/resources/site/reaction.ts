import type { Reaction } from "../../kernel/relay/reaction.ts";
import { forgetOrphans } from "../../ports/forget-orphans.ts";

export const reaction: Reaction<"site"> = {
  archived: ({ store }, { id }) => forgetOrphans(store, { kind: "site", id }),
};
