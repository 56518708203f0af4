import type { Actions } from "../../kernel/request/action.ts";
import { issue, revoke } from "./credentials.ts";

/** What people ask of a cluster beside a retry. */
export const actions = { issue, revoke } satisfies Actions<"cluster">;
