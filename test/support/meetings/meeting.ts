import type { OperationId } from "../../../core/id.ts";
import type { Saga } from "../../../core/kernel/saga/action.ts";
import { rowsOfTask } from "../../../core/kernel/saga/phase.ts";
import type { Laptop } from "../laptop.ts";
import type { StageOptions } from "../matrix/stage.ts";
import { seeded } from "../random.ts";
import { takeTurns } from "../scheduled-store.ts";
import { Turns } from "./turns.ts";

/** How often each task is delivered, each look asked for, and each state looked at besides. */
const twice = [1, 2];

/**
 * The attempts at each step of an operation, which meet: each task is delivered twice at once, each
 * look is asked for twice, and each state is looked at twice more after its task has come. News of hubs
 * come in between. A seed decides which call to the store or to a system outside is the next.
 */
export class Meeting {
  /** How many tasks of each state have met. */
  readonly met = new Map<string, number>();
  readonly #saga: Saga;
  readonly #random: () => number;
  readonly #operation = Promise.withResolvers<OperationId>();
  #turns: Turns | undefined;
  #look: (step: string) => Promise<void> = async () => {};

  constructor(saga: Saga, seed: number) {
    this.#saga = saga;
    this.#random = seeded(seed);
  }

  /** Begins, in a world in which the operation is about to be accepted. */
  begin(laptop: Laptop): void {
    const { clock, deps, store, report } = laptop;
    const turns = new Turns(this.#random, clock);
    this.#turns = turns;
    clock.meanwhile = () => turns.calm();
    const transact = store.transact.bind(store);
    store.transact = (writes) => turns.leave(() => transact(writes));
    takeTurns(store, () => turns.next());
    laptop.report = (told) => turns.act(() => report(told));
    const { rechecks } = deps;
    const request = rechecks.request.bind(rechecks);
    rechecks.request = async (...look) => {
      const again = () => turns.act(() => request(...look));
      await (turns.isActor ? again() : Promise.all(twice.map(again)));
    };
    this.#look = async (step) => request(await this.#operation.promise, step);
  }

  /** Says which operation it is, once it is accepted. */
  readonly isOf = this.#operation.resolve;

  readonly outside: StageOptions["outside"] = async (_, send) => {
    const turns = this.#turns;
    if (!turns) return send();
    await turns.next();
    return turns.leave(send);
  };

  readonly invoke: StageOptions["invoke"] = async (state, work) => {
    const turns = this.#turns;
    if (!turns) return work();
    for (const step of rowsOfTask(this.#saga, state).keys()) {
      this.met.set(step, (this.met.get(step) ?? 0) + 1);
      for (const _ of twice) void turns.act(() => this.#look(step));
    }
    return Promise.all(twice.map(() => turns.act(work)));
  };
}
