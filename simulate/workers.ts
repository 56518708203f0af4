import { AsyncLocalStorage } from "node:async_hooks";
import { type Clock, seconds, sleep } from "../core/clock.ts";
import { AppError } from "../core/error.ts";
import type { Recheck as Task } from "../core/kernel/saga/rechecks.ts";
import type { Sagas } from "../core/kernel/saga/settle.ts";
import type { Store } from "../core/kernel/store/store.ts";
import type { ProcessDeps } from "../local/process-deps.ts";
import { WorkerDied, WorkerTimedOut } from "../local/worker-ends.ts";
import { rewired } from "../test/support/matrix/states.ts";
import type { Act } from "../test/support/matrix/way.ts";
import { takeTurns } from "../test/support/scheduled-store.ts";
import { workerTimeout } from "../test/support/worker-time.ts";
import type { Dice, Faults } from "./dice.ts";

/** The ports of workers, besides outside systems. */
interface Used {
  store: Store;
  deps: Pick<ProcessDeps, "workflow" | "rechecks">;
}

/** The limits at which a run fails. */
interface Limits {
  /** The calls that it makes before it dies. */
  calls: number;
  /** The calls of the store before the store refuses one as busy. */
  storeCalls: number;
  /** The writes before the answer to one is lost. */
  writes: number;
}

const noLimits: Limits = {
  calls: Number.POSITIVE_INFINITY,
  storeCalls: Number.POSITIVE_INFINITY,
  writes: Number.POSITIVE_INFINITY,
};

/** A run of a worker, or of a recheck. */
interface Run {
  /** The step of the run; undefined for a run without one. */
  task: Task | undefined;
  began: number;
  /** The remaining limits. */
  left: Limits;
  isOver: boolean;
  end: PromiseWithResolvers<never>;
}

type Work = () => Promise<unknown>;
type RunFault = (
  run: (limits?: Partial<Limits>) => Promise<unknown>,
  clock: Clock,
  dice: Dice,
) => Promise<unknown>;

/** The faults of runs of a worker. After each, Step Functions calls again, or the sweep requests a recheck. */
const runFaults: Faults<RunFault> = {
  "dies before it begins": {
    weight: 3,
    act: async () => {
      throw new WorkerDied("the worker died before it began");
    },
  },
  "dies when it is done": {
    weight: 3,
    act: async (run) => {
      await run();
      throw new WorkerDied("the worker died when it was done");
    },
  },
  "dies in the middle": {
    weight: 6,
    act: (run, _, dice) => run({ calls: 1 + dice.below(40) }),
  },
  "runs out of its time": {
    weight: 2,
    act: async (_, clock) => {
      await sleep(clock, workerTimeout);
      throw new WorkerTimedOut("the worker took too long");
    },
  },
  "begins late": {
    weight: 3,
    act: async (run, clock) => {
      await sleep(clock, seconds(5));
      return run();
    },
  },
  "is done twice at once": {
    weight: 3,
    act: async (run) => {
      const [first] = await Promise.all([run(), run()]);
      return first;
    },
  },
  "finds the store busy": {
    weight: 3,
    act: (run, _, dice) => run({ storeCalls: dice.below(25) }),
  },
  "does not hear that the store has written": {
    weight: 3,
    act: (run, _, dice) => run({ writes: dice.below(6) }),
  },
};

/** Workers that can die: one during its work, or all at once. */
export class Workers {
  readonly clock: Clock;
  readonly #dice: Dice;
  readonly #living = new AsyncLocalStorage<Run>();
  readonly #runs = new Set<Run>();

  constructor(clock: Clock, dice: Dice) {
    this.clock = clock;
    this.#dice = dice;
  }

  /** Runs the work of a task, or of a recheck. */
  readonly do = (task: Task, work: Work): Promise<unknown> => {
    const fault = this.#dice.roll("a worker", runFaults);
    const run = (limits?: Partial<Limits>) => this.run(work, task, limits);
    return fault ? fault(run, this.clock, this.#dice) : run();
  };

  /** Runs work until it is done, or its worker dies. */
  async run(work: Work, task?: Task, limits: Partial<Limits> = {}): Promise<unknown> {
    const end = Promise.withResolvers<never>();
    // Usually nobody waits for this promise, so its rejection is handled here.
    end.promise.catch(() => {});
    const left = { ...noLimits, ...limits };
    const run: Run = { task, began: this.clock.now(), left, isOver: false, end };
    this.#runs.add(run);
    try {
      return await Promise.race([this.#living.run(run, work), end.promise]);
    } finally {
      this.#runs.delete(run);
    }
  }

  /** Kills all running workers. */
  killAll(): void {
    for (const run of this.#runs) kill(run);
  }

  /** When the run of this call began; undefined for calls outside of a worker. */
  get began(): number | undefined {
    return this.#living.getStore()?.began;
  }

  /** The sagas, with steps that note themselves in their run when they begin, since the steps of a phase share runs. */
  telling(sagas: Sagas): Sagas {
    const told =
      (call: Act): Act =>
      async (target, context) => {
        const run = this.#living.getStore();
        if (run) run.task = { operation: context.operation.id, step: context.step };
        await call(target, context);
      };
    return Object.keys(sagas).reduce(
      (all, name) =>
        rewired(all, name, (_, { act, look, ...rest }) => ({
          ...rest,
          ...(act && { act: told(act) }),
          ...(look && { look: told(look) }),
        })),
      sagas,
    );
  }

  /** The step whose run makes this call; undefined for calls of no step. */
  get task(): Task | undefined {
    return this.#living.getStore()?.task;
  }

  /** Makes a call of a worker: a dead worker's call has no effect, and a call may kill its worker. */
  async call<T>(send: () => Promise<T>): Promise<T> {
    this.#takeCall();
    const answer = await this.#living.exit(send);
    this.#refuseTheDead();
    return answer;
  }

  /** Makes the store, the workflow service and the rechecks refuse dead workers. */
  over({ store, deps: { rechecks, workflow } }: Used): void {
    const { start, succeed, fail } = workflow;
    workflow.start = (...asked) => this.call(() => start(...asked));
    workflow.succeed = (...asked) => this.call(() => succeed(...asked));
    workflow.fail = (...asked) => this.call(() => fail(...asked));
    // Listeners of the stream run outside of the worker that wrote.
    const transact = store.transact.bind(store);
    store.transact = async (writes) => {
      await this.#living.exit(() => transact(writes));
      const run = this.#living.getStore();
      if (run && run.left.writes-- === 0)
        throw new AppError("Unavailable", "the store cannot be reached");
    };
    takeTurns(store, async () => {
      this.#takeCall();
      const run = this.#living.getStore();
      if (run && run.left.storeCalls-- === 0)
        throw new AppError("Unavailable", "the store is busy");
    });
    const request = rechecks.request.bind(rechecks);
    rechecks.request = (...asked) => this.call(() => request(...asked));
  }

  #takeCall(): void {
    const run = this.#living.getStore();
    if (run && !run.isOver && run.left.calls-- <= 0) kill(run);
    this.#refuseTheDead();
  }

  #refuseTheDead(): void {
    if (this.#living.getStore()?.isOver) throw new WorkerDied("the worker was killed");
  }
}

function kill(run: Run): void {
  run.isOver = true;
  run.end.reject(new WorkerDied("the worker was killed"));
}
