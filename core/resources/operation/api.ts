import type { ApiOf } from "../../kernel/request/api-of.ts";
import { operationSchema } from "./wire.ts";

export const api = { schema: operationSchema } satisfies ApiOf<"operation">;
