import type { Clock, Timer } from "../core/clock.ts";
import type { Log } from "../core/log.ts";

/**
 * Runs `job` at every multiple of `ms` of the clock, one run at a time. Counting from the process's start would never
 * run it in a process that restarts more often. Returns a function that stops it and resolves after the last run.
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
