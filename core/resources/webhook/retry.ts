import { hours, minutes, seconds } from "../../clock.ts";

/** How long a delivery is retried, counted from its event. */
export const retryWindow = hours(24);

const pauses = [seconds(5), seconds(30), minutes(2), minutes(10), minutes(30), hours(1), hours(2)];
const longest = hours(3);

/**
 * Milliseconds to wait after so many tries: growing, with a quarter of jitter to either side, so
 * that the webhooks of a receiver that comes back do not all reach it at once.
 */
export function pauseAfter(tries: number, random: () => number): number {
  return (pauses[tries - 1] ?? longest) * (0.75 + random() / 2);
}
