import { AppError } from "../../core/error.ts";
import type { Action } from "../../core/kernel/saga/action.ts";
import type { ClusterSaga } from "../../core/kernel/saga/end.ts";
import { isParallel, type Step, undoName } from "../../core/kernel/saga/saga.ts";
import type { Sagas } from "../../core/kernel/saga/settle.ts";
import type { Cluster } from "../../core/resources/cluster/model.ts";

/** Sagas with one action broken in one way, for the fault matrix. */

type Act = NonNullable<Action<Cluster>["act"]>;

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
        ? async (cluster, context) => {
            await act(cluster, context);
            refuse();
          }
        : act,
    "away before the effect, three times": (act, call) => (call <= 3 ? beAway : act),
    "away after the effect": (act, call) =>
      call === 1
        ? async (cluster, context) => {
            await act(cluster, context);
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
        ? async (cluster, context) => {
            await act(cluster, context);
            die();
            return never;
          }
        : act,
    "the effect made twice": (act) => async (cluster, context) => {
      await act(cluster, context);
      // The second attempt finds what the first has written.
      await act(await context.latest(), context);
    },
  } satisfies Record<string, Breakage>;
}

/** The sagas with the action of one state broken. */
export function broken(sagas: Sagas, saga: string, state: string, breakage: Breakage): Sagas {
  let calls = 0;
  const wrap = (action: Action<Cluster>): Action<Cluster> => ({
    ...action,
    act: (cluster, context) => {
      calls += 1;
      return breakage(action.act ?? (async () => {}), calls)(cluster, context);
    },
  });
  const row = (step: Step<Action<Cluster>>): Step<Action<Cluster>> => ({
    ...step,
    ...(step.name === state ? { do: wrap(step.do) } : {}),
    ...(step.undo && undoName(step.name) === state ? { undo: wrap(step.undo) } : {}),
  });
  const whole = sagas[saga];
  if (!whole) throw new Error(`no saga ${saga}`);
  const changed: ClusterSaga = {
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
