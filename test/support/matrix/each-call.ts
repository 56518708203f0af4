import { afterAll, describe, expect, it } from "vitest";
import { AppError } from "../../../core/error.ts";
import { asOperationId } from "../../../core/id.ts";
import type { Saga, StepAction } from "../../../core/kernel/saga/action.ts";
import { entryOf, withEntry } from "../../../core/kernel/saga/entry.ts";
import type { Target } from "../../../core/kernel/saga/operated.ts";
import { isPhase, mapSteps, type Step, stepsOf } from "../../../core/kernel/saga/saga.ts";
import { edit, type Sagas } from "../../../core/kernel/saga/settle.ts";
import { die, WorkerDied } from "../../../local/worker-ends.ts";
import type { Stop } from "../laptop.ts";
import { isWhole } from "../seed.ts";
import { closeBooks, ended, newCounts } from "./close.ts";
import { type Move, type Run, type Watch, watchedOutside, watchedSagas } from "./moves.ts";
import { oneOf } from "./sample.ts";
import { changeOf, type Stage, type StageOptions, type Subject } from "./stage.ts";
import { sagaOf, statesOf } from "./states.ts";

/**
 * Each act and look of a saga, broken at each of its moves: it loses its right to go on before the move,
 * or its worker dies after it.
 */

const before = ["cancelled before", "overtaken before"] as const;
const after = ["dead after, then again", "dead after, then cancelled"] as const;
type Way = (typeof before)[number] | (typeof after)[number];
const isBefore = (way: Way): boolean => before.some((each) => each === way);

/** What a state does where nothing is broken, and how to come to where it begins. */
interface State {
  isUndo: boolean;
  /** By name, in order; what a state does again in further looks is listed once. */
  moves: Map<string, Pick<Move, "name" | "isEffect" | "isWrite">>;
  open: (options: StageOptions) => Promise<Stage>;
  /** The sagas that come there. */
  sagas: Sagas;
}

interface Case {
  state: string;
  move: string;
  way: Way;
}

/** Runs the saga once, and back where it can turn back, and writes down what each state does. */
async function recorded(
  subject: Subject,
  name: string,
  change?: string,
): Promise<Map<string, State>> {
  const saga = sagaOf(subject.sagas, name);
  const scenario = changeOf(subject, name, change);
  const states = new Map<string, State>();
  const stops: Stop[] = [];
  let stage: Stage | undefined;
  const own = new Set(statesOf(saga).map((state) => state.name));
  const isUndo = (state: string) => stepsOf(saga.nodes).every((row) => row.name !== state);
  const fromStart = async (options: StageOptions) => {
    const fresh = await scenario.open(options);
    await fresh.start();
    return fresh;
  };
  const watch: Watch = async (move, send) => {
    const answer = await send();
    if (move.run.operation.spec.saga !== name) return answer;
    const { moves } = states.get(move.run.state) ?? { moves: new Map() };
    if (!moves.has(move.name)) moves.set(move.name, move);
    return answer;
  };
  const sagas = saga.irreversible ? subject.sagas : turningBack(subject.sagas, saga);
  const begin = (state: string) => {
    // Others may have brought it about, or follow from it.
    if (!stage || states.has(state) || !own.has(state)) return;
    const open = stage.putAside?.() ?? fromStart;
    const to = isUndo(state) ? sagas : subject.sagas;
    states.set(state, { isUndo: isUndo(state), moves: new Map(), open, sagas: to });
  };
  try {
    stage = await scenario.open({
      sagas: watchedSagas(sagas, watch, (run, work) => {
        begin(run.state);
        return work();
      }),
      outside: watchedOutside(watch),
      invoke: (state, work) => {
        // A phase begins nothing of its own.
        if (!saga.nodes.some((node) => isPhase(node) && node.name === state)) begin(state);
        return work();
      },
      atEnd: (stop) => void stops.unshift(stop),
    });
    const { state } = await ended(stage, await stage.start(), newCounts());
    if (state !== (saga.irreversible ? "SUCCEEDED" : "FAILED")) throw new Error(`it is ${state}`);
  } finally {
    for (const stop of stops) await stop();
  }
  return states;
}

/** The sagas, of which one turns back when all of it is done: so its undos have all there is to undo. */
function turningBack(sagas: Sagas, saga: Saga): Sagas {
  const last = stepsOf(saga.nodes).at(-1)?.name;
  const refuse = (): never => {
    throw new AppError("Rejected", "broken on purpose");
  };
  const failing = ({ act, until, ...rest }: StepAction<Target>): StepAction<Target> => ({
    ...rest,
    act: async (target, context) => {
      await act?.(target, context);
      if (!until) refuse();
    },
    ...(until && {
      until: async (target, context) => {
        const outcome = await until(target, context);
        return outcome.done ? refuse() : outcome;
      },
    }),
  });
  const row = (step: Step<StepAction<Target>>) =>
    step.name === last ? { ...step, do: failing(step.do) } : step;
  return { ...sagas, [saga.name]: { ...saga, nodes: mapSteps(saga.nodes, row) } };
}

/** Of so many cases all are run; of more a sample: one before a move of each state, and one after. */
const few = 40;

/** The cases of one saga in one of its changes; the plain change unless told. */
export async function eachCallOf(subject: Subject, name: string, change?: string): Promise<void> {
  const saga = sagaOf(subject.sagas, name);
  const { isFollowed } = changeOf(subject, name, change);
  const states = await recorded(subject, name, change);
  const row = change === undefined ? name : `${name}: ${change}`;
  const counts = newCounts();
  const casesOf = ([state, { isUndo, moves }]: [string, State]): Case[] => {
    const mayCancel = !isUndo && !saga.irreversible;
    const named = [...moves.values()];
    const untilLast = named.slice(0, named.findLastIndex(({ isEffect }) => isEffect) + 1);
    const on = (way: Way, at: typeof named) => at.map(({ name: move }) => ({ state, move, way }));
    const changes = named.filter(({ isEffect, isWrite }) => isEffect || isWrite);
    return [
      ...(mayCancel ? on("cancelled before", untilLast) : []),
      ...on("overtaken before", untilLast),
      ...on("dead after, then again", changes),
      ...(mayCancel ? on("dead after, then cancelled", changes) : []),
    ];
  };
  const all = [...states].flatMap(casesOf);
  const alike = Map.groupBy(all, ({ state, way }) => `${state}: ${isBefore(way)}`);
  const sample = [...alike].flatMap(([these, each]) => oneOf(these, each));
  const cases = isWhole || all.length <= few ? all : sample;
  afterAll(() => {
    const { run, lost, leaked } = counts;
    console.log(`${row}, each call: ran ${run} of ${all.length}; lost ${lost}, leaked ${leaked}`);
  });

  describe(row, () => {
    it.each(cases)("$state: $way $move", async (each) => {
      counts.run += 1;
      const state = states.get(each.state);
      if (!state) throw new Error(`there is no state ${each.state}`);
      const breaking = new Breaking(saga.name, each);
      const stage = await state.open(breaking.options(state.sagas));
      await breaking.over(stage);
      if (isBefore(each.way)) return expect(breaking.late).toEqual([]);
      const { id, spec } = breaking.operation;
      const target = spec.target.id;
      const last = await ended(stage, target, counts);
      const isCancelled = each.way.endsWith("cancelled");
      const end = isCancelled ? "CANCELLED" : state.isUndo ? "FAILED" : "SUCCEEDED";
      const isLast = !isFollowed || end !== "SUCCEEDED";
      const operation = isLast ? last : await stage.operation(id);
      expect(operation, JSON.stringify(operation.failure)).toMatchObject({ id, state: end });
      await closeBooks(stage, target, end === "SUCCEEDED" ? "done" : "undone", counts);
    });
  });
}

const never = new Promise<never>(() => {});

/** Breaks a run of a state at one of its moves, the first time it comes there. */
class Breaking {
  /** What the run did though it had lost its right to. */
  readonly late: string[] = [];
  readonly #saga: string;
  readonly #case: Case;
  readonly #opened = Promise.withResolvers<Stage>();
  #isOver = false;
  #broken: Run | undefined;
  #isLate = false;

  constructor(saga: string, each: Case) {
    this.#saga = saga;
    this.#case = each;
  }

  get operation(): Run["operation"] {
    if (!this.#broken) throw new Error(`${this.#case.state} did not come to the move`);
    return this.#broken.operation;
  }

  options(sagas: Sagas): StageOptions {
    return {
      sagas: watchedSagas(sagas, this.#watch, this.#around),
      outside: watchedOutside(this.#watch),
      invoke: (_, work) => work(),
    };
  }

  /** Waits until the run was broken, and is over or dead. */
  async over(stage: Stage): Promise<void> {
    this.#opened.resolve(stage);
    let isEnded = false;
    await stage.laptop.until(async () => {
      const { state = "" } = (await stage.newest()) ?? {};
      isEnded = /SUCCEEDED|FAILED|CANCELLED|STUCK/.test(state);
      return this.#isOver || isEnded;
    }, `${this.#case.state} to come to the move`);
    if (!this.#isOver) throw new Error(`${this.#case.state} did not come to the move`);
  }

  readonly #around = async (run: Run, work: () => Promise<void>): Promise<void> => {
    if (this.#isHere(run)) await this.#opened.promise;
    try {
      await work();
    } finally {
      if (run === this.#broken) this.#isOver = true;
    }
  };

  readonly #watch: Watch = async (move, send) => {
    if (move.run === this.#broken) return this.#after(move, send);
    const { move: name, way } = this.#case;
    if (this.#broken || !this.#isHere(move.run) || move.name !== name) return send();
    this.#broken = move.run;
    if (isBefore(way)) {
      await (way === "cancelled before" ? this.#cancel() : this.#overtake());
      // What others of this run have sent at the same time is on its way.
      for (let round = 0; round < 4; round++) await new Promise((next) => setImmediate(next));
      this.#isLate = true;
      // A request is on its way; a write is not.
      return move.isWrite ? this.#after(move, send) : send();
    }
    await send().catch(() => {});
    if (way.endsWith("cancelled")) await this.#cancel();
    this.#isOver = true;
    void die(new WorkerDied("the worker died on purpose"));
    return never;
  };

  /** A further move of the broken run. */
  async #after<T>(move: Move, send: () => Promise<T>): Promise<T> {
    if (this.#case.way.startsWith("dead")) return never;
    const isLate = this.#isLate && move.isEffect;
    if (isLate && !move.isWrite) this.late.push(move.name);
    const answer = await send();
    // A write that was refused was not made.
    if (isLate && move.isWrite) this.late.push(move.name);
    return answer;
  }

  /** Other sagas may have states of the same name. */
  #isHere({ state, operation }: Run): boolean {
    return state === this.#case.state && operation.spec.saga === this.#saga;
  }

  async #cancel(): Promise<void> {
    const stage = await this.#opened.promise;
    expect(await stage.cancel(this.operation.id)).toBe(true);
  }

  /** Another attempt of the state begins. */
  async #overtake(): Promise<void> {
    const { deps } = (await this.#opened.promise).laptop;
    const { state } = this.#case;
    await edit(deps, asOperationId(this.operation.id), (operation) =>
      withEntry(operation, state, { ...entryOf(operation, state), attempt: "another" }),
    );
  }
}
