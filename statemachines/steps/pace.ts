import { seconds } from "../../core/clock.ts";
import type { Context } from "../../core/kernel/saga/context.ts";
import { entryOf } from "../../core/kernel/saga/entry.ts";

interface Pace {
  /** The first pauses, in milliseconds. */
  first: number;
  longest: number;
}

/** How often controllers are polled: they send no reports, and most changes take seconds. */
export const ofControllers: Pace = { first: seconds(5), longest: seconds(60) };

/** A pause is this fraction of the time waited so far, so a late check adds little to the wait. */
const share = 3;

/** The pause before the next check, for changes without a report. It grows with the time waited. */
export function pause({ deps, operation, step }: Context, { first, longest }: Pace): number {
  const { waiting_since } = entryOf(operation, step);
  const waited = waiting_since === undefined ? 0 : deps.clock.now() - Date.parse(waiting_since);
  return Math.min(longest, Math.max(first, Math.round(waited / share)));
}
