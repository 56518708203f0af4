import { timeouts } from "../core/ports/aws/timeouts.ts";

/** Calls inside a region answer within milliseconds, or not at all. */
export const client = { requestHandler: timeouts(1000, 5000), maxAttempts: 4 };

/** For calls of functions, which take their time: the API itself ends at 30 s. Whoever waits decides on another try. */
export const waitingClient = { requestHandler: timeouts(1000, 25_000), maxAttempts: 1 };
