import { timeouts } from "../../core/ports/aws/timeouts.ts";

/** Limits in milliseconds for calls inside a region, which are answered quickly or not at all. */
export const client = { requestHandler: timeouts(1000, 5000), maxAttempts: 4 };

/**
 * Limits for calls of functions, which take longer; the API itself ends at 30 s. The caller decides
 * whether to try again.
 */
export const waitingClient = { requestHandler: timeouts(1000, 25_000), maxAttempts: 1 };
