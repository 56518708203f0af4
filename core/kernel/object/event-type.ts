import type { Kind } from "./object.ts";

/** The types of events. The `kind.ts` of a kind lists those that the kind has. */

export type Change =
  | "created"
  | "updated"
  | "deleting"
  | "deleted"
  /** Sent when a webhook's owner requests a test; not in the log. */
  | "test"
  | Turn;
/** The type of an update that is published at once. */
export type Turn = "ready" | "failed" | "started" | "succeeded" | "cancelled" | "stuck";

export const eventType = (kind: Kind, change: Change): string => `slipway.${kind}.${change}.v1`;
