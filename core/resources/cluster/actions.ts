import type { Actions } from "../../kernel/request/action.ts";
import { issue, revoke } from "./credentials.ts";

/** The actions on a cluster besides a retry: to issue and to revoke credentials. */
export const actions = { issue, revoke } satisfies Actions<"cluster">;
