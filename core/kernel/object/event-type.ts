import type { Kind } from "./object.ts";

/** The types of events; which of them a kind has, its `kind.ts` says. */

export type Change =
  | "created"
  | "updated"
  | "deleting"
  | "deleted"
  /** Asked for by a webhook's owner; in no log. */
  | "test"
  | Turn;
/** An update that means more than others. */
export type Turn = "ready" | "failed" | "started" | "succeeded" | "cancelled" | "stuck";

export const eventType = (kind: Kind, change: Change): string => `slipway.${kind}.${change}.v1`;
