import { type Clock, seconds } from "../core/clock.ts";
import { workerTimeout } from "./workers.ts";

/** When calls were refused for good that were in order: with 403, 409 or 422. */
export class Refusals {
  readonly #clock: Clock;
  readonly #at: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts an injected answer, if it is such a refusal. */
  note(status: number): void {
    if ([403, 409, 422].includes(status)) this.#at.push(this.#clock.now());
  }

  /** Whether one may be why a worker's run failed at this time: adapters tell them in words of their own. */
  explain(failedAt: number): boolean {
    const earliest = failedAt - workerTimeout - seconds(1);
    return this.#at.some((at) => at >= earliest && at <= failedAt);
  }
}
