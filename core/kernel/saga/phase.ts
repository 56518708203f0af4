import type { Deps } from "../deps.ts";
import { enter } from "./enter.ts";
import {
  begunStep,
  entryOf,
  handedOver,
  isDone,
  type NewAttempt,
  tokensOf,
  withEntry,
  withoutTokens,
  withRetry,
} from "./entry.ts";
import type { Operation } from "./operation.ts";
import {
  type ActionShape,
  actionsOf,
  isPhase,
  type SagaOf,
  type Shape,
  type Step,
} from "./saga.ts";

/**
 * Phases: steps that are one state with one task. Step Functions calls a worker in the zone of the first step. The
 * worker does one step after the other, as long as they are of its zone and half of its time is left. The end of a step
 * and the begin of the next are one write, which passes the token on. If the next step is of another zone, or an
 * observer has ended the step, a recheck requests a worker of the right zone. The last step answers Step Functions. So
 * Step Functions may not know the worker that begins a step, and does not notice its death. While the step runs, the
 * sweep therefore checks it: `retry_at`.
 */

/** The steps that share the task of a state, in order: those of a phase, or a single one. */
export function rowsOfTask<A extends ActionShape>(
  saga: SagaOf<A>,
  state: string,
): Map<string, { action: A; undo: boolean }> {
  const node = saga.nodes.find(({ name }) => name === state);
  const names = node && isPhase(node) ? node.steps.map(({ name }) => name) : [state];
  return new Map([...actionsOf(saga)].filter(([name]) => names.includes(name)));
}

/** The current step of a state's task: the first that is not done, or else the last. */
export function stepToDo(saga: Shape, operation: Operation, state: string): string {
  const steps = [...rowsOfTask(saga, state).keys()];
  return steps.find((name) => !isDone(entryOf(operation, name))) ?? steps.at(-1) ?? state;
}

/** The steps of the phase that a step is in; none for one with a task of its own. */
const stepsInPhaseOf = <A extends ActionShape>({ nodes }: SagaOf<A>, step: string): Step<A>[] =>
  nodes.flatMap((node) =>
    isPhase(node) && node.steps.some(({ name }) => name === step) ? node.steps : [],
  );

/** The step that follows in the same phase. */
export function nextInPhase<A extends ActionShape>(
  saga: SagaOf<A>,
  step: string,
): Step<A> | undefined {
  const steps = stepsInPhaseOf(saga, step);
  return steps[steps.findIndex(({ name }) => name === step) + 1];
}

/** The operation when an attempt begins a step; `tokens` as in `begun`. */
export function withBegun(
  deps: Deps,
  saga: Shape,
  before: Operation,
  step: { name: string; action: ActionShape },
  attempt: NewAttempt & { tokens: string[] },
): Operation {
  const { name, action } = step;
  const entered = enter(deps, saga, before, name);
  const entry = begunStep(deps, entryOf(entered, name), { ...attempt, action });
  const isInPhase = stepsInPhaseOf(saga, name).length > 0;
  return withEntry(entered, name, isInPhase ? withRetry(deps, entry) : entry);
}

/** The operation when a worker of another zone is asked to begin a step. */
export function withHandedOver(
  deps: Deps,
  saga: Shape,
  before: Operation,
  name: string,
  tokens: string[],
): Operation {
  const entered = enter(deps, saga, before, name);
  return withEntry(entered, name, handedOver(deps, entryOf(entered, name), tokens));
}

/**
 * The operation after a step that has ended well and passes its tokens to the next one. `attempt` begins that; without
 * one, a worker is requested.
 */
export function passedOn(
  deps: Deps,
  saga: Shape,
  operation: Operation,
  step: string,
  { name, do: action }: Step<ActionShape>,
  attempt: NewAttempt | undefined,
): Operation {
  const ended = entryOf(operation, step);
  const tokens = tokensOf(ended);
  const before = withEntry(operation, step, withoutTokens(ended));
  return attempt === undefined
    ? withHandedOver(deps, saga, before, name, tokens)
    : withBegun(deps, saga, before, { name, action }, { ...attempt, tokens });
}
