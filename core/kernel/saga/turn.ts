import type { Turn } from "../object/event-type.ts";
import type { Operation } from "./operation.ts";

/** The event type of a change of an operation's state, if any. */
export function operationTurn(before: Operation, after: Operation): Turn | undefined {
  const [from, to] = [before.status.state, after.status.state];
  if (from === to) return undefined;
  switch (to) {
    case "RUNNING":
      return from === "PENDING" ? "started" : undefined;
    case "SUCCEEDED":
      return "succeeded";
    case "FAILED":
      return "failed";
    case "CANCELLED":
      return "cancelled";
    case "STUCK":
      return "stuck";
    case "PENDING":
      return undefined;
  }
}
