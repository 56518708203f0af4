import type { Clock, Timer } from "../../clock.ts";
import type { Recheck, RecheckQueue } from "../../kernel/saga/rechecks.ts";
import type { Log } from "../../log.ts";

export interface ClockRecheckQueue extends RecheckQueue {
  /** Drops the queued rechecks. Resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/**
 * An in-process queue of rechecks on a clock. Its messages are lost with the process, and the sweep repeats
 * them.
 */
export function clockRecheckQueue(
  { clock, log }: { clock: Clock; log: Log },
  take: (recheck: Recheck) => Promise<void>,
): ClockRecheckQueue {
  const timers = new Set<Timer>();
  const running = new Set<Promise<void>>();
  return {
    async put(recheck, after) {
      const timer = clock.after(after, () => {
        timers.delete(timer);
        const taken = take(recheck)
          .catch((error) => log.warn({ ...recheck, error: String(error) }, "a recheck failed"))
          .finally(() => running.delete(taken));
        running.add(taken);
      });
      timers.add(timer);
    },
    async stop() {
      for (const timer of timers) timer.cancel();
      timers.clear();
      await Promise.all(running);
    },
  };
}
