import type { LiveStatus } from "../../kernel/request/definition.ts";
import { lateness } from "../../kernel/saga/status.ts";

/** How far the step of an operation is beyond its time that takes longer than it should. */
export const operationLive: LiveStatus<"operation"> = {
  members: ["stalled"],
  read: async ({ clock }, _, found) =>
    (await found).map((operation) => lateness(operation, clock.now())),
};
