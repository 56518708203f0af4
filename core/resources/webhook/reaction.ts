import type { Reaction } from "../../kernel/relay/reaction.ts";
import { wakeCursor } from "./cursor.ts";

export const reaction: Reaction<"webhook"> = {
  /** The webhook may have been enabled again. */
  changed: (deps, _, { id, metadata }) =>
    wakeCursor(deps, { tenant: metadata.tenant, webhook: id }),
};
