import type { LiveStatus } from "../../kernel/request/definition.ts";
import { beyondEstimate, lateness } from "../../kernel/saga/status.ts";

/** How late an operation is against its estimate, and a step of it against the step's time. */
export const operationLive: LiveStatus<"operation"> = {
  members: ["stalled", "estimate_beyond_seconds"],
  read: async ({ clock }, _, found) =>
    (await found).map((operation) => ({
      ...lateness(operation, clock.now()),
      ...beyondEstimate(operation, clock.now()),
    })),
};
