import { timeouts } from "../core/aws/timeouts.ts";

/** Calls inside a region answer within milliseconds, or not at all. */
export const client = { requestHandler: timeouts(1000, 5000), maxAttempts: 4 };
