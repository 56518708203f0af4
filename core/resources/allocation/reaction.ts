import type { Reaction } from "../../kernel/relay/reaction.ts";
import { fill } from "./follow.ts";

export const reaction: Reaction<"allocation"> = {
  changed: (deps, _, { id }) => fill(deps, id),
  removed: (deps, { id }) => fill(deps, id),
};
