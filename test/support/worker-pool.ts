import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../../core/clock.ts";
import type { Deps } from "../../core/kernel/deps.ts";
import { WorkerShares } from "../../core/kernel/saga/shares.ts";

/**
 * The runs of a worker function that may be at a time, each in a process of its own, as on Lambda: a
 * process serves one run after another, and a call that finds none free is refused.
 */
export class WorkerPool {
  readonly #clock: Clock;
  readonly #process = new AsyncLocalStorage<WorkerShares>();
  readonly #free: WorkerShares[];
  /** When the runs that go on have begun. */
  readonly #runs = new Set<{ since: number }>();
  #held = 0;

  constructor(clock: Clock, size: number) {
    this.#clock = clock;
    this.#free = Array.from({ length: size }, () => new WorkerShares({ hub: size, site: size }));
  }

  /** Has each run know of shares what its own process knows. */
  over(deps: Deps): void {
    Object.defineProperty(deps, "shares", { get: () => this.#process.getStore() });
  }

  /** Does a run. Throws what Step Functions is told when there is no free process. */
  async invoke<T>(work: () => Promise<T>): Promise<T> {
    const process = this.#free.pop();
    if (!process) {
      const error = new Error("Rate Exceeded.");
      error.name = "Lambda.TooManyRequestsException";
      throw error;
    }
    const run = { since: this.#clock.now() };
    this.#runs.add(run);
    try {
      return await this.#process.run(process, work);
    } finally {
      this.#runs.delete(run);
      this.#free.push(process);
      this.#held += this.#clock.now() - run.since;
    }
  }

  /** For how many milliseconds runs have held processes, those that go on included. */
  get held(): number {
    const now = this.#clock.now();
    return [...this.#runs].reduce((sum, { since }) => sum + now - since, this.#held);
  }

  /** How many runs go on that have lasted for longer than this many milliseconds. */
  longer(ms: number): number {
    const now = this.#clock.now();
    return [...this.#runs].filter(({ since }) => now - since > ms).length;
  }
}
