import type { Clock } from "../core/clock.ts";
import type { Recheck as Task } from "../core/kernel/saga/rechecks.ts";
import { pastTime } from "../test/support/worker-time.ts";

/** When faults refused valid calls of a step for good: with 403, 409 or 422. */
export class Refusals {
  readonly #clock: Clock;
  readonly #at = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records an injected answer to a call of this step, if it is such a refusal. */
  note(status: number, task: Task | undefined): void {
    if (task && [403, 409, 422].includes(status)) this.#at.set(idOf(task), this.#clock.now());
  }

  /**
   * Whether a refusal may be why a run of this step failed at this time; adapters report refusals in their own
   * words.
   */
  explain(task: Task, failedAt: number): boolean {
    const at = this.#at.get(idOf(task));
    return at !== undefined && at <= failedAt && failedAt <= at + pastTime;
  }
}

const idOf = ({ operation, step }: Task): string => `${operation} ${step}`;
