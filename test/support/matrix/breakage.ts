import { AppError } from "../../../core/error.ts";
import type { Action, Saga } from "../../../core/kernel/saga/action.ts";
import type { Target } from "../../../core/kernel/saga/operated.ts";
import { isParallel, type Step, undoName } from "../../../core/kernel/saga/saga.ts";
import type { Sagas } from "../../../core/kernel/saga/settle.ts";

/** Sagas with one action broken in one way, for the fault matrix. */

type Act = NonNullable<Action<Target>["act"]>;

/** How an action is broken: gets the real one and the number of this call, from 1. */
export type Breakage = (act: Act, call: number) => Act;

const refuse = (): never => {
  throw new AppError("Rejected", "broken on purpose");
};
const beAway = (): never => {
  throw new AppError("Unavailable", "away on purpose");
};

/** Dies after the effect: nothing after it is ever written, and nobody is told. */
export class Died extends Error {
  override name = "Lambda.Unknown";
}

/** Thrown away with the worker: the promise never settles. */
const never = new Promise<never>(() => {});

export function breakages(die: () => void) {
  return {
    "error before the effect": (act, call) => (call === 1 ? refuse : act),
    "error after the effect": (act, call) =>
      call === 1
        ? async (target, context) => {
            await act(target, context);
            refuse();
          }
        : act,
    "away before the effect, three times": (act, call) => (call <= 3 ? beAway : act),
    "away after the effect": (act, call) =>
      call === 1
        ? async (target, context) => {
            await act(target, context);
            beAway();
          }
        : act,
    "death before the effect": (act, call) =>
      call === 1
        ? () => {
            die();
            return never;
          }
        : act,
    "death between effect and record": (act, call) =>
      call === 1
        ? async (target, context) => {
            await act(target, context);
            die();
            return never;
          }
        : act,
    "the effect made twice": (act) => async (target, context) => {
      await act(target, context);
      // The second attempt finds what the first has written.
      await act(await context.latest(), context);
    },
  } satisfies Record<string, Breakage>;
}

/** The sagas with the action of one state broken. */
export function broken(sagas: Sagas, saga: string, state: string, breakage: Breakage): Sagas {
  let calls = 0;
  const wrap = (action: Action<Target>): Action<Target> => ({
    ...action,
    act: (target, context) => {
      calls += 1;
      return breakage(action.act ?? (async () => {}), calls)(target, context);
    },
  });
  const row = (step: Step<Action<Target>>): Step<Action<Target>> => ({
    ...step,
    ...(step.name === state ? { do: wrap(step.do) } : {}),
    ...(step.undo && undoName(step.name) === state ? { undo: wrap(step.undo) } : {}),
  });
  const whole = sagas[saga];
  if (!whole) throw new Error(`no saga ${saga}`);
  const changed: Saga = {
    ...whole,
    nodes: whole.nodes.map((node) =>
      isParallel(node)
        ? {
            ...node,
            branches: node.branches.map((branch) => ({ ...branch, steps: branch.steps.map(row) })),
          }
        : row(node),
    ),
  };
  return { ...sagas, [saga]: changed };
}
