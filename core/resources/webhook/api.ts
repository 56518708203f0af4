import type { ApiOf } from "../../kernel/request/api-of.ts";
import { actions } from "./actions.ts";
import { rules } from "./rules.ts";
import { webhookSchema } from "./wire.ts";

export const api = { schema: webhookSchema, rules, actions } satisfies ApiOf<"webhook">;
