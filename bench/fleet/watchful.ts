import type { Saga, StepAction } from "../../core/kernel/saga/action.ts";
import { mapSteps, type Node, type Step } from "../../core/kernel/saga/saga.ts";
import type { Sagas } from "../../core/kernel/saga/settle.ts";

/** Milliseconds between two polls of the world. */
const pace = 250;

/**
 * Sagas whose polling steps poll four times a second. A single order on its hub then takes hardly longer than the
 * outside systems, since reports arrive at once.
 */
export const watchful = (sagas: Sagas): Sagas =>
  Object.fromEntries(
    Object.entries(sagas).map(([name, saga]) => [
      name,
      { ...saga, nodes: mapSteps(saga.nodes, ofStep) } satisfies Saga,
    ]),
  );

type Any = Saga["nodes"][number] extends Node<infer A> ? A : never;

const ofStep = (step: Step<Any>): Step<Any> => ({ ...step, do: ofAction(step.do) });

function ofAction<T>(action: StepAction<T>): StepAction<T> {
  const { until } = action;
  if (!until) return action;
  return {
    ...action,
    async until(target, context) {
      const outcome = await until(target, context);
      const looks = !outcome.done && outcome.lookAgain !== undefined;
      return looks ? { ...outcome, lookAgain: pace } : outcome;
    },
  };
}
