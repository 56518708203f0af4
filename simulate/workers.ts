import { AsyncLocalStorage } from "node:async_hooks";
import { type Clock, seconds, sleep } from "../core/clock.ts";
import type { Deps } from "../core/kernel/deps.ts";
import type { Store } from "../core/kernel/store/store.ts";
import { takeTurns } from "../test/support/scheduled-store.ts";
import type { Dice, Faults } from "./dice.ts";

/** The longest run of a worker, in milliseconds. */
export const workerTimeout = seconds(20);

/** The worker died: its calls reach nothing from then on, and no answer reaches it. */
class Died extends Error {
  override name = "Lambda.Unknown";
}
class TimedOut extends Error {
  override name = "Sandbox.Timedout";
}

/** What workers reach beside systems outside. */
interface Used {
  store: Store;
  deps: Pick<Deps, "workflow" | "rechecks">;
}

/** One run of a worker, or of a look. */
interface Run {
  began: number;
  /** How many calls it makes before it dies. */
  callsLeft: number;
  isOver: boolean;
  end: PromiseWithResolvers<never>;
}

type Work = () => Promise<unknown>;
type RunFault = (work: Work, workers: Workers, dice: Dice) => Promise<unknown>;

/** The ways for a run of a worker to go wrong. The engine calls again after all of them. */
const runFaults: Faults<RunFault> = {
  "dies before it begins": {
    weight: 3,
    act: async () => {
      throw new Died("the worker died before it began");
    },
  },
  "dies when it is done": {
    weight: 3,
    act: async (work, workers) => {
      await workers.run(work);
      throw new Died("the worker died when it was done");
    },
  },
  "dies in the middle": {
    weight: 6,
    act: (work, workers, dice) => workers.run(work, 1 + dice.below(40)),
  },
  "runs out of its time": {
    weight: 2,
    act: async (_, { clock }) => {
      await sleep(clock, workerTimeout);
      throw new TimedOut("the worker took too long");
    },
  },
  "begins late": {
    weight: 3,
    act: async (work, workers) => {
      await sleep(workers.clock, seconds(5));
      return workers.run(work);
    },
  },
  "is done twice at once": {
    weight: 3,
    act: async (work, workers) => {
      const [first] = await Promise.all([workers.run(work), workers.run(work)]);
      return first;
    },
  },
};

/** Workers that can die: one of them in the middle of its work, or all at once. */
export class Workers {
  readonly clock: Clock;
  readonly #dice: Dice;
  readonly #living = new AsyncLocalStorage<Run>();
  readonly #runs = new Set<Run>();

  constructor(clock: Clock, dice: Dice) {
    this.clock = clock;
    this.#dice = dice;
  }

  /** Does the work of a task. */
  readonly task = (work: Work): Promise<unknown> => {
    const fault = this.#dice.roll("a worker", runFaults);
    return fault ? fault(work, this, this.#dice) : this.run(work);
  };

  /** Does work until it is done, or its worker dies. */
  async run(work: Work, callsLeft = Number.POSITIVE_INFINITY): Promise<unknown> {
    const end = Promise.withResolvers<never>();
    // Whoever works then hears of it; mostly nobody does.
    end.promise.catch(() => {});
    const run: Run = { began: this.clock.now(), callsLeft, isOver: false, end };
    this.#runs.add(run);
    try {
      return await Promise.race([this.#living.run(run, work), end.promise]);
    } finally {
      this.#runs.delete(run);
    }
  }

  /** Ends all workers that work now. */
  killAll(): void {
    for (const run of this.#runs) kill(run);
  }

  /** When the run began that makes a call; undefined for calls of nobody who can die. */
  get began(): number | undefined {
    return this.#living.getStore()?.began;
  }

  /** A call of a worker: it does not reach anything if the worker is dead, or dies of it. */
  async call<T>(send: () => Promise<T>): Promise<T> {
    this.#takeCall();
    const answer = await this.#living.exit(send);
    this.#refuseTheDead();
    return answer;
  }

  /** Has the store, the workflow service and the looks of a laptop know the dead. */
  over({ store, deps: { rechecks, workflow } }: Used): void {
    const { start, succeed, fail } = workflow;
    workflow.start = (...asked) => this.call(() => start(...asked));
    workflow.succeed = (...asked) => this.call(() => succeed(...asked));
    workflow.fail = (...asked) => this.call(() => fail(...asked));
    // Readers of the stream are not the worker whose write they hear of.
    const transact = store.transact.bind(store);
    store.transact = (writes) => this.#living.exit(() => transact(writes));
    takeTurns(store, async () => this.#takeCall());
    const request = rechecks.request.bind(rechecks);
    rechecks.request = async (...look) => void (await this.run(() => request(...look)));
  }

  #takeCall(): void {
    const run = this.#living.getStore();
    if (run && !run.isOver && run.callsLeft-- <= 0) kill(run);
    this.#refuseTheDead();
  }

  #refuseTheDead(): void {
    if (this.#living.getStore()?.isOver) throw new Died("the worker was killed");
  }
}

function kill(run: Run): void {
  run.isOver = true;
  run.end.reject(new Died("the worker was killed"));
}
