import { sleep } from "../../../core/clock.ts";
import { isParallel, type Shape } from "../../../core/kernel/saga/saga.ts";
import type { Laptop } from "../laptop.ts";
import type { StageOptions } from "../matrix/stage.ts";

/** Attempts at the steps of an operation that come one after the other. */
export class Sequence {
  readonly #attempts: number;
  readonly #slow: readonly string[];
  #laptop: Laptop | undefined;

  private constructor(attempts: number, slow: readonly string[]) {
    this.#attempts = attempts;
    this.#slow = slow;
  }

  /**
   * The sequences that there can be: one attempt at each step or two, and of branches each may be the
   * one that begins when the others have got somewhere.
   */
  static ofAll({ nodes }: Shape): Sequence[] {
    const branches = nodes.flatMap((node) => (isParallel(node) ? node.branches : []));
    const late = branches.map(({ steps }) => steps.map(({ name }) => name));
    return [[], ...late].flatMap((slow) => [1, 2].map((attempts) => new Sequence(attempts, slow)));
  }

  begin(laptop: Laptop): void {
    this.#laptop = laptop;
  }

  readonly outside: StageOptions["outside"] = (_, send) => send();

  readonly invoke: StageOptions["invoke"] = async (step, work) => {
    if (this.#laptop && this.#slow.includes(step)) await sleep(this.#laptop.clock, 15_000);
    for (let n = 1; n < this.#attempts; n++) await work();
    return work();
  };
}
