import type { Saga, StepAction } from "../../../core/kernel/saga/action.ts";
import type { Target } from "../../../core/kernel/saga/operated.ts";
import {
  isParallel,
  isPhase,
  mapSteps,
  type Node,
  type Step,
  stepsOf,
  undoName,
} from "../../../core/kernel/saga/saga.ts";
import type { Sagas } from "../../../core/kernel/saga/settle.ts";

/** The states of a saga, from its table; and tables with other actions in them. */

export type AnyAction = StepAction<Target>;

/** A do or an undo. */
export interface State {
  name: string;
  /** The row of the table that it is in. */
  step: string;
  isUndo: boolean;
  action: AnyAction;
}

/** Why a saga turns back: which step fails, and whether as soon as it can or as late as it can. */
export interface Failing {
  step: string;
  at: "begin" | "end";
}

export const sagaOf = (sagas: Sagas, name: string): Saga => {
  const saga = sagas[name];
  if (!saga) throw new Error(`there is no saga ${name}`);
  return saga;
};

/** Every state in the order of the table, each undo after its do. */
export const statesOf = ({ nodes, irreversible }: Saga): State[] =>
  stepsOf(nodes).flatMap(({ name, do: action, undo }) => [
    { name, step: name, isUndo: false, action },
    ...(undo && !irreversible
      ? [{ name: undoName(name), step: name, isUndo: true, action: undo }]
      : []),
  ]);

/** The state of the state machine whose task does this one. */
export const taskOf = ({ nodes }: Saga, state: string): string =>
  nodes.find((node) => isPhase(node) && node.steps.some(({ name }) => name === state))?.name ??
  state;

/** The sagas with other actions in the states of one saga. */
export function rewired(
  sagas: Sagas,
  name: string,
  change: (state: string, action: AnyAction) => AnyAction,
): Sagas {
  const row = (step: Step<AnyAction>): Step<AnyAction> => ({
    ...step,
    do: change(step.name, step.do),
    ...(step.undo && { undo: change(undoName(step.name), step.undo) }),
  });
  const saga = sagaOf(sagas, name);
  const changed: Saga = { ...saga, nodes: mapSteps(saga.nodes, row) };
  return { ...sagas, [name]: changed };
}

/** The steps that begin only after this one has ended. */
export function after({ nodes }: Saga, step: string): string[] {
  const at = nodes.findIndex((node) => stepsOf([node]).some(({ name }) => name === step));
  const names = inARow(nodes[at], step);
  const behind = names.slice(names.indexOf(step) + 1);
  return [...behind, ...stepsOf(nodes.slice(at + 1)).map(({ name }) => name)];
}

/** The steps of a node of which one follows another: those of a branch or of a phase, or the only one. */
function inARow(node: Node<AnyAction> | undefined, step: string): string[] {
  if (!node) return [];
  const rows = isParallel(node) ? node.branches.map(({ steps }) => steps) : [stepsOf([node])];
  const names = rows.map((row) => row.map(({ name }) => name));
  return names.find((row) => row.includes(step)) ?? [];
}

/** A step with all that may be open when it is. */
export const besides = ({ nodes }: Saga, step: string): string[] =>
  nodes
    .filter(isParallel)
    .map((node) => stepsOf([node]).map(({ name }) => name))
    .find((names) => names.includes(step)) ?? [step];

/** The steps that may fail once this one has begun, in the order of the table. */
export function mayFailAfter(saga: Saga, step: string): string[] {
  const later = after(saga, step);
  const beside = besides(saga, step).filter((name) => !after(saga, name).includes(step));
  const names = stepsOf(saga.nodes).map(({ name }) => name);
  return names.filter((name) => name !== step && (later.includes(name) || beside.includes(name)));
}

/** The state with an act that runs next of those that can get stuck: of an undo the undo before it in the table. */
export function nextToStick(saga: Saga, { isUndo, step }: State): State | undefined {
  const withAct = statesOf(saga).filter(({ action }) => action.act);
  if (isUndo)
    return withAct.findLast((each) => each.isUndo && after(saga, each.step).includes(step));
  return saga.irreversible
    ? withAct.find((each) => after(saga, step).includes(each.step))
    : undefined;
}
