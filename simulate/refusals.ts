import type { Clock } from "../core/clock.ts";
import type { Recheck as Task } from "../core/kernel/saga/rechecks.ts";
import { pastTime } from "../test/support/worker-time.ts";

/** When calls of a step were refused for good that were in order: with 403, 409 or 422. */
export class Refusals {
  readonly #clock: Clock;
  readonly #at = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts an injected answer, if it is such a refusal, of a call for this step. */
  note(status: number, task: Task | undefined): void {
    if (task && [403, 409, 422].includes(status)) this.#at.set(idOf(task), this.#clock.now());
  }

  /** Whether one may be why a run for this step failed at this time: adapters tell them in words of their own. */
  explain(task: Task, failedAt: number): boolean {
    const at = this.#at.get(idOf(task));
    return at !== undefined && at <= failedAt && failedAt <= at + pastTime;
  }
}

const idOf = ({ operation, step }: Task): string => `${operation} ${step}`;
