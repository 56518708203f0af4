import { seconds } from "../../core/clock.ts";
import type { Context } from "../../core/kernel/saga/context.ts";
import { entryOf } from "../../core/kernel/saga/entry.ts";

interface Pace {
  /** The pauses at first, in milliseconds. */
  first: number;
  longest: number;
}

/** How often a controller is asked: it sends no reports, and does most things in seconds. */
export const ofControllers: Pace = { first: seconds(5), longest: seconds(60) };

/** A pause is so many times shorter than the time waited before: what a look comes late is little beside it. */
const share = 3;

/**
 * How soon a step that waits looks again, for changes that no report brings: often at first, and the longer
 * it has waited, the more seldom.
 */
export function pause({ deps, operation, step }: Context, { first, longest }: Pace): number {
  const { waiting_since } = entryOf(operation, step);
  const waited = waiting_since === undefined ? 0 : deps.clock.now() - Date.parse(waiting_since);
  return Math.min(longest, Math.max(first, Math.round(waited / share)));
}
