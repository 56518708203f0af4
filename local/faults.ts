import type { Clock } from "../core/clock.ts";
import { sleep } from "../core/clock.ts";
import { AppError } from "../core/error.ts";
import type { Faults } from "../sim/faults.ts";
import { WorkerDied, WorkerTimedOut } from "./worker-ends.ts";

const injected = "a fault was injected";
const isPassing = (status: number): boolean => status === 429 || status >= 500;

/** How much a slow fault delays, in simulated milliseconds. */
const slowBy = 5000;

/**
 * Puts the faults of target `worker` around its invocations; the `operation` of such a fault is a
 * step's name. A crash means that the worker dies: Step Functions calls again.
 */
export function withFaults(faults: Faults, clock: Clock) {
  return async (step: string, work: () => Promise<unknown>): Promise<unknown> => {
    const fault = faults.take("worker", step);
    switch (fault?.fault) {
      case "timeout":
        throw new WorkerTimedOut(`the worker took too long before ${step}`);
      case "crash_before":
        throw new WorkerDied(`the worker died before ${step}`);
      case "crash_after":
        await work();
        throw new WorkerDied(`the worker died after ${step}`);
      case "error":
        throw new AppError(isPassing(fault.status) ? "Unavailable" : "Rejected", injected);
      case "conflict":
        throw new AppError("Unavailable", injected);
      case "slow":
        await sleep(clock, slowBy);
        return work();
      // An invocation cannot be held.
      case "hold":
      case undefined:
        return work();
    }
  };
}
