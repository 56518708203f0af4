import { timeouts } from "../../core/ports/aws/timeouts.ts";

/** Timeouts in milliseconds for calls within a region, which are answered quickly or not at all. */
export const client = { requestHandler: timeouts(1000, 5000), maxAttempts: 4 };

/** Timeouts for calls of functions, which take longer; the API itself ends at 30 s. The caller decides on retries. */
export const waitingClient = { requestHandler: timeouts(1000, 25_000), maxAttempts: 1 };
