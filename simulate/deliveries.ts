import type { DatabaseSync } from "node:sqlite";
import { type Clock, seconds, sleep } from "../core/clock.ts";
import { AppError } from "../core/error.ts";
import { SqliteStore } from "../core/kernel/store/sqlite/sqlite.ts";
import type { Key, StreamRecord, Write } from "../core/kernel/store/store.ts";
import type { ProcessDeps } from "../local/process-deps.ts";
import type { Dice, Faults } from "./dice.ts";

/** Messages between the parts of Slipway: each can be lost, late, or delivered twice. */

type Delivery = (deliver: () => Promise<void>, clock: Clock, dice: Dice) => Promise<void>;

const lost: Delivery = async () => {};
const twice: Delivery = async (deliver) => {
  await deliver();
  await deliver();
};
const late: Delivery = async (deliver, clock, dice) => {
  await sleep(clock, seconds(1 + dice.below(90)));
  await deliver();
};
/** Delivers a message after later ones. */
const overtaken: Delivery = async (deliver, clock, dice) => {
  void late(deliver, clock, dice).catch(() => {});
};

/** The faults of a hub's report, and of the request for a recheck; sweeps replace the lost ones. */
const messages: Faults<Delivery> = {
  "is lost": { weight: 4, act: lost },
  "comes late": { weight: 3, act: late },
  "is overtaken": { weight: 3, act: overtaken },
  "comes twice": { weight: 3, act: twice },
};

type Answer = <T>(send: () => Promise<T>) => Promise<T>;

const failed = new AppError("Unavailable", "the workflow service does not answer");

/** The faults of calls of the workflow service: a start, and the answer of a task. */
const workflowCalls: Faults<Answer> = {
  "does not arrive": {
    weight: 3,
    act: async () => {
      throw failed;
    },
  },
  "arrives, and its answer is lost": {
    weight: 3,
    act: async (send) => {
      await send();
      throw failed;
    },
  },
  "is sent twice": {
    weight: 2,
    act: async (send) => {
      const first = await send();
      await send();
      return first;
    },
  },
};

/** The delays with which a queue delivers a message (several if repeatedly), for the requested delay. */
type Queued = (after: number, dice: Dice) => readonly number[];

/** The faults of the queue of rechecks; the sweep finds the steps of lost ones. */
const queued: Faults<Queued> = {
  "is not accepted": {
    weight: 2,
    act: () => {
      throw new AppError("Unavailable", "the queue does not answer");
    },
  },
  "is lost": { weight: 4, act: () => [] },
  "comes late": { weight: 3, act: (after, dice) => [after + seconds(1 + dice.below(90))] },
  "comes early": { weight: 1, act: (after, dice) => [dice.below(1 + after)] },
  "comes twice": {
    weight: 3,
    act: (after, dice) => [after, after + seconds(1 + dice.below(90))],
  },
};

type Read = (store: RestlessStore, after: string | undefined) => string | undefined;

/** The faults of batches of the store's stream, which loses nothing: they come late, or again. */
const batches: Faults<Read> = {
  "comes late": { weight: 1, act: (store) => store.rest() },
  "comes again": {
    weight: 1,
    act: (_, after) => String(Math.max(0, Number(after ?? 0) - 5)),
  },
};

/** A store whose stream comes late or again. */
export class RestlessStore extends SqliteStore {
  readonly #dice: Dice;
  readonly #clock: Clock;
  readonly #readers = new Set<() => void>();
  readonly #watchers: ((writes: readonly Write[]) => void)[] = [];
  #rests = false;

  constructor(database: DatabaseSync, dice: Dice, clock: Clock) {
    super(database);
    this.#dice = dice;
    this.#clock = clock;
  }

  /** Calls `watcher` with each transaction as soon as it is written. */
  onWritten(watcher: (writes: readonly Write[]) => void): void {
    this.#watchers.push(watcher);
  }

  override async transact(writes: Write[]): Promise<void> {
    await super.transact(writes);
    for (const watcher of this.#watchers) watcher(writes);
  }

  override stream(
    after: string | undefined,
    limit: number,
    isWanted?: (key: Key) => boolean,
  ): StreamRecord[] {
    if (this.#rests || !this.hasNews(after)) return [];
    const fault = this.#dice.roll("a batch of the stream", batches);
    const from = fault ? fault(this, after) : after;
    return this.#rests ? [] : super.stream(from, limit, isWanted);
  }

  override onChange(listener: () => void): () => void {
    this.#readers.add(listener);
    const end = super.onChange(listener);
    return () => {
      this.#readers.delete(listener);
      end();
    };
  }

  /** Returns nothing for some seconds, even if there are records. */
  rest(): undefined {
    this.#rests = true;
    this.#clock.after(seconds(1 + this.#dice.below(20)), () => {
      this.#rests = false;
      for (const reader of this.#readers) reader();
    });
  }
}

interface Delivering {
  deps: Pick<ProcessDeps, "workflow" | "rechecks" | "recheckQueue">;
  clock: Clock;
}

/** Adds these faults to the messages of a process. */
export function troubleDeliveries({ deps, clock }: Delivering, dice: Dice): void {
  const { workflow, rechecks, recheckQueue } = deps;
  const asked =
    <A extends unknown[], R>(what: string, send: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> => {
      const fault = dice.roll(what, workflowCalls);
      return fault ? fault(() => send(...args)) : send(...args);
    };
  workflow.start = asked("a start", workflow.start.bind(workflow));
  workflow.succeed = asked("a task's answer", workflow.succeed.bind(workflow));
  workflow.fail = asked("a task's answer", workflow.fail.bind(workflow));
  const request = rechecks.request.bind(rechecks);
  rechecks.request = (...look) =>
    delivered(dice, clock, "a request for a check", () => request(...look));
  const put = recheckQueue.put.bind(recheckQueue);
  recheckQueue.put = async (recheck, after) => {
    const fault = dice.roll("a queued recheck", queued);
    if (!fault) return put(recheck, after);
    for (const ms of fault(after, dice)) await put(recheck, ms);
  };
}

/** Delivers a message, with its fault if there is one. */
export function delivered(
  dice: Dice,
  clock: Clock,
  what: string,
  deliver: () => Promise<void>,
): Promise<void> {
  const fault = dice.roll(what, messages);
  return fault ? fault(deliver, clock, dice) : deliver();
}
