/**
 * Time in Slipway. Deadlines, waits, rests and sweeps use the deployment's clock (`deps.clock`), which local mode
 * scales; leases and timeouts of calls use real time (`deps.wall`). In a virtual-time simulation both are the same
 * virtual clock.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `fn` once, `ms` milliseconds of this clock from now. */
  after(ms: number, fn: () => void): Timer;
}

export interface Timer {
  cancel(): void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, fn) => {
    // setTimeout fires at once for anything above 2^31-1 ms, so a longer wait is split.
    const longest = 2 ** 31 - 1;
    let timer: ReturnType<typeof setTimeout>;
    const arm = (left: number) => {
      timer =
        left > longest
          ? setTimeout(() => arm(left - longest), longest)
          : setTimeout(fn, Math.max(0, left));
    };
    arm(ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

/**
 * Resolves after `ms` of the clock; rejects with the signal's reason if the signal is aborted
 * first.
 */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.after(ms, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** RFC 3339 in UTC, like every timestamp on the wire and in the store. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * A time in a message for people: RFC 3339 in UTC, to the second. `time`: milliseconds since the epoch, or a timestamp,
 * which of another system may have any form.
 */
export const timeText = (time: number | string): string =>
  (typeof time === "number" ? timestamp(time) : time).replace(
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/,
    "$1Z",
  );

export const seconds = (n: number): number => n * 1000;
export const minutes = (n: number): number => n * 60_000;
/** A duration in whole minutes, as text. */
export const inMinutes = (ms: number): string =>
  ms === minutes(1) ? "1 minute" : `${ms / minutes(1)} minutes`;
export const hours = (n: number): number => n * 3_600_000;
export const days = (n: number): number => n * 86_400_000;
