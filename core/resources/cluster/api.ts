import type { ApiOf } from "../../kernel/request/api-of.ts";
import { actions } from "./actions.ts";
import { clusterFaults } from "./faults.ts";
import { clusterSchema } from "./wire.ts";

export const api = {
  schema: clusterSchema,
  actions,
  faults: clusterFaults,
} satisfies ApiOf<"cluster">;
