import type { LiveStatus } from "../../kernel/request/definition.ts";
import { beyondEstimate, lateness } from "../../kernel/saga/status.ts";

/**
 * The delay of an operation against its estimate, and of its step against the step's usual time.
 */
export const operationLive: LiveStatus<"operation"> = {
  members: ["stalled", "estimate_beyond_seconds"],
  read: async ({ clock }, _, found) =>
    (await found).map((operation) => ({
      ...lateness(operation, clock.now()),
      ...beyondEstimate(operation, clock.now()),
    })),
};
