import { isContention } from "./error.ts";

/** The clock and randomness of retries: `random` answers 0 to below 1, `sleep` and `timeout` take milliseconds. */
export interface Backoff {
  random: () => number;
  sleep: (ms: number) => Promise<void>;
  timeout: (ms: number) => AbortSignal;
}

/** Tries before giving up: with full jitter the pauses add up to about two seconds. */
export const tries = 8;
const firstMs = 25;
const longestMs = 1000;

/** Repeats `work` a limited number of times while there is contention; then throws its last error. */
export async function retriedCall<T>(work: () => Promise<T>, backoff: Backoff): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (tried === tries || !isContention(error)) throw error;
      await retryPause(tried, backoff);
    }
  }
}

/** Waits with full jitter, so that contending callers spread out. */
export function retryPause(tried: number, { random, sleep }: Backoff): Promise<void> {
  return sleep(random() * Math.min(longestMs, firstMs * 2 ** (tried - 1)));
}
