import type { Clock, Timer } from "../core/clock.ts";
import type { Log } from "../core/log.ts";

/**
 * Runs `job` at every multiple of `ms` of the clock: counted from its own start, a process that is started
 * anew more often than that would never run it. Never runs it twice at a time. Answers a function that
 * stops it, after the last run.
 */
export function every(
  clock: Clock,
  ms: number,
  log: Log,
  job: () => Promise<unknown>,
): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  let timer: Timer;
  const arm = (): void => {
    timer = clock.after(ms - (clock.now() % ms), () => {
      running = job()
        .then(() => {})
        .catch((error) => log.warn({ error: String(error) }, "a scheduled run failed"))
        .finally(() => {
          if (!stopped) arm();
        });
    });
  };
  arm();
  return async () => {
    stopped = true;
    timer.cancel();
    await running;
  };
}
