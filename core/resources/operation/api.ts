import { targetPartition } from "../../kernel/object/keys.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import { unfinishedPartitions } from "../../kernel/saga/due.ts";
import { actions } from "./actions.ts";
import { operationSchema } from "./wire.ts";

export const api = {
  schema: operationSchema,
  actions,
  lookups: [
    {
      path: "spec.target.id",
      partitions: (id) => [{ pk: targetPartition(id), index: "g3" }],
    },
    {
      path: "status.state",
      partitions: unfinishedPartitions,
      ofAllTenants: true,
    },
  ],
} satisfies ApiOf<"operation">;
