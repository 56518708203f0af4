import type { ApiOf } from "../../kernel/request/api-of.ts";
import { clusterSchema } from "./wire.ts";

export const api = { schema: clusterSchema } satisfies ApiOf<"cluster">;
