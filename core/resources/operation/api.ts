import { targetPartition } from "../../kernel/object/keys.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import { operationSchema } from "./wire.ts";

export const api = {
  schema: operationSchema,
  lookup: {
    path: "spec.target.id",
    partition: (id) => ({ pk: targetPartition(id), index: "g3" }),
  },
} satisfies ApiOf<"operation">;
