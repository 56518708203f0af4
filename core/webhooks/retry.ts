import { hours, minutes, seconds } from "../clock.ts";

/** How long a delivery is tried again, from its event on. */
export const retryWindow = hours(24);

const pauses = [seconds(5), seconds(30), minutes(2), minutes(10), minutes(30), hours(1), hours(2)];
const longest = hours(3);

/**
 * Milliseconds to wait after so many tries: ever longer, and spread by a quarter to either side, so
 * that the webhooks of a receiver that comes back do not all meet it at once.
 */
export function pauseAfter(tries: number, random: () => number): number {
  return (pauses[tries - 1] ?? longest) * (0.75 + random() / 2);
}
