import type { Clock } from "../core/clock.ts";
import { sleep } from "../core/clock.ts";
import { AppError } from "../core/error.ts";
import type { Saga, StepAction } from "../core/kernel/saga/action.ts";
import { isPhase, mapSteps, type Step } from "../core/kernel/saga/saga.ts";
import type { Sagas } from "../core/kernel/saga/settle.ts";
import type { Faults } from "../sim/faults.ts";
import { die, WorkerDied, WorkerTimedOut } from "./worker-ends.ts";

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
      // An invocation cannot be held, nor done for nothing.
      case "hold":
      case "ignore":
      case undefined:
        return work();
    }
  };
}

type Faulty = ReturnType<typeof withFaults>;

/** The sagas, whose steps that share a task with others meet the faults of their names as they begin. */
export const withFaultyPhases = (sagas: Sagas, invoke: Faulty): Sagas =>
  Object.fromEntries(
    Object.entries(sagas).map(([name, saga]) => {
      const nodes = saga.nodes.flatMap((node) =>
        isPhase(node) ? mapSteps([node], (step) => faulty(step, invoke)) : [node],
      );
      return [name, { ...saga, nodes } satisfies Saga];
    }),
  );

const faulty = <T>(step: Step<StepAction<T>>, invoke: Faulty): Step<StepAction<T>> => ({
  ...step,
  do: {
    ...step.do,
    async act(target, context) {
      try {
        await invoke(step.name, async () => step.do.act?.(target, context));
      } catch (error) {
        if (!(error instanceof WorkerDied || error instanceof WorkerTimedOut)) throw error;
        await die(error);
        return new Promise(() => {});
      }
    },
  },
});
