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
 * Injects the faults of target `worker` into invocations; the `operation` of such a fault is a step's name. After a
 * crash of the worker, Step Functions calls it again.
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
      // Excludes these invocations from faults.
      case "hold":
      case "ignore":
      case undefined:
        return work();
    }
  };
}

type Faulty = ReturnType<typeof withFaults>;

/**
 * Injects faults into the steps of phases too: several steps share one task there, so each meets the faults of its own
 * name when it begins.
 */
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
