import type { Reaction } from "../../kernel/relay/reaction.ts";
import { forgetTenant } from "./forget.ts";

export const reaction: Reaction<"tenant"> = { archived: forgetTenant };
