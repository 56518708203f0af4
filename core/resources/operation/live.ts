import type { LiveStatus } from "../../kernel/request/definition.ts";
import { beyondEstimate, lateness } from "../../kernel/saga/status.ts";

/** How far an operation is beyond its estimate, and a step of it beyond its time. */
export const operationLive: LiveStatus<"operation"> = {
  members: ["stalled", "estimate_beyond_seconds"],
  read: async ({ clock }, _, found) =>
    (await found).map((operation) => ({
      ...lateness(operation, clock.now()),
      ...beyondEstimate(operation, clock.now()),
    })),
};
