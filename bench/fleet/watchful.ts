import type { Saga, StepAction } from "../../core/kernel/saga/action.ts";
import { mapSteps, type Node, type Step } from "../../core/kernel/saga/saga.ts";
import type { Sagas } from "../../core/kernel/saga/settle.ts";

/** How often the world is looked at, in milliseconds. */
const pace = 250;

/**
 * Sagas whose steps look four times a second where they look by themselves. An order that has its hub to
 * itself takes as long with these as the systems outside take, and hardly longer: what is reported is
 * reported at once.
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
