import { AsyncLocalStorage } from "node:async_hooks";
import type { VirtualClock } from "../virtual-clock.ts";

/**
 * The turns of those who work at once: one call goes on at a time, in an order that a seed decides. So
 * each order in which the calls of several attempts can be made is met some time, and met again from
 * the same seed.
 */

/** One attempt, with the time that it may still stand still in all. */
interface Actor {
  patience: number;
}

/** How long an attempt stands still at most, in milliseconds: less than its worker may run. */
const patience = 15_000;
/** How often an attempt stands still before a call while time passes and others go on. */
const stillness = 0.04;
/** How likely whoever made the last call makes the next one as well; one of these for each order. */
const eagerness = [0, 0.7, 0.95] as const;

const acting = new AsyncLocalStorage<Actor>();

export class Turns {
  readonly #random: () => number;
  readonly #clock: VirtualClock;
  readonly #eager: number;
  readonly #waiting: { actor: Actor; go: () => void }[] = [];
  #last: Actor | undefined;
  #driving: Promise<void> | undefined;

  constructor(random: () => number, clock: VirtualClock) {
    this.#random = random;
    this.#clock = clock;
    this.#eager = eagerness[Math.floor(random() * eagerness.length)] ?? 0;
  }

  /** Works as somebody who waits for his turn with each call; some time later if the seed says so. */
  async act<T>(work: () => Promise<T>): Promise<T> {
    return acting.run({ patience }, async () => {
      if (this.#random() < 0.5) await this.#standStill();
      return work();
    });
  }

  /** Whether the caller is one of those who take turns. */
  get isActor(): boolean {
    return acting.getStore() !== undefined;
  }

  /** Does what others go on from, who take no turns: readers of the stream, systems outside. */
  leave<T>(work: () => T): T {
    return acting.exit(work);
  }

  /** Waits for the caller's turn. Who takes no turns goes on at once. */
  async next(): Promise<void> {
    const actor = acting.getStore();
    if (!actor) return;
    if (this.#random() < stillness) await this.#standStill();
    await new Promise<void>((go) => {
      this.#waiting.push({ actor, go });
      this.#driving ??= this.#drive();
    });
  }

  /** Resolves when nobody waits for his turn, so that time may pass. */
  async calm(): Promise<void> {
    while (this.#driving) await this.#driving;
  }

  async #standStill(): Promise<void> {
    const actor = acting.getStore();
    if (!actor) return;
    const still = Math.floor(this.#random() * actor.patience);
    actor.patience -= still;
    await new Promise<void>((resolve) => void this.#clock.after(still, resolve));
  }

  async #drive(): Promise<void> {
    await quiet();
    while (this.#waiting.length > 0) {
      const again = this.#waiting.findIndex(({ actor }) => actor === this.#last);
      const isAgain = again >= 0 && this.#random() < this.#eager;
      const at = isAgain ? again : Math.floor(this.#random() * this.#waiting.length);
      for (const { actor, go } of this.#waiting.splice(at, 1)) {
        this.#last = actor;
        go();
      }
      await quiet();
    }
    this.#driving = undefined;
  }
}

/** Lets everything happen that waits for no turn: promises, and a few rounds of immediates. */
async function quiet(): Promise<void> {
  for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve));
}
