import { hours, minutes, seconds } from "../../clock.ts";

/** The time in which a delivery is retried, from its event on. */
export const retryWindow = hours(24);

const pauses = [seconds(5), seconds(30), minutes(2), minutes(10), minutes(30), hours(1), hours(2)];
const longest = hours(3);

/**
 * The milliseconds to wait after this number of tries: growing, with a quarter of jitter to either side, so that the
 * webhooks of a recovered receiver do not all call it at once.
 */
export function pauseAfter(tries: number, random: () => number): number {
  return (pauses[tries - 1] ?? longest) * (0.75 + random() / 2);
}
