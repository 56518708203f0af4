import { AsyncLocalStorage } from "node:async_hooks";
import type { Saga } from "../../../core/kernel/saga/action.ts";
import type { Write } from "../../../core/kernel/store/store.ts";
import { die, WorkerDied } from "../../../local/worker-ends.ts";
import type { Outside } from "../outside.ts";
import type { Stage, StageOptions } from "./stage.ts";
import { taskOf } from "./states.ts";

/** A case of the matrix while it runs: what its way does to a worker, to its requests and its writes. */

/** Thrown away with the worker: the promise never settles. */
export const never = new Promise<never>(() => {});

/** What an action does to the world, as a way sees it. */
export interface Watch {
  request?: (request: Request, send: () => Promise<Response>) => Promise<Response>;
  write?: (write: () => Promise<void>) => Promise<void>;
}

const watched = new AsyncLocalStorage<Watch>();

/** Does the work, and lets `watch` see its requests to systems outside and its writes. */
export const watching = <T>(watch: Watch, work: () => T): T => watched.run(watch, work);

const isLogin = ({ url }: Request): boolean => /\/auth(\/|$)/.test(new URL(url).pathname);

export class Play {
  /** What broke the state is mended: from here on it works. */
  isMended = false;
  /** The way came to what it is about. */
  hasMet = false;
  /** What happens on hubs is reported. */
  hasNews = true;
  /** The target that is made meanwhile. */
  neighbour: string | undefined;
  /** How often the state's task was delivered. */
  deliveries = 0;
  /** The state's task is delivered twice at once, and its worker dies before it has answered. */
  isRestless = false;
  readonly state: string;
  /** The state whose task does it: the state itself, or the phase that it is in. */
  readonly #task: string;
  #away: { until: number } | undefined;
  #stage: Stage | undefined;

  constructor(saga: Saga, state: string) {
    this.state = state;
    this.#task = taskOf(saga, state);
  }

  /** From here on. */
  begin(stage: Stage): void {
    this.#stage = stage;
    const { store, workflow } = stage.laptop.deps;
    const transact = store.transact.bind(store);
    store.transact = (writes: Write[]) => {
      const watch = watched.getStore();
      return watch?.write ? watch.write(() => transact(writes)) : transact(writes);
    };
    const succeed = workflow.succeed.bind(workflow);
    workflow.succeed = async (token) =>
      this.isRestless && inTask.getStore() === this.#task && this.deliveries === 1
        ? true
        : succeed(token);
  }

  get stage(): Stage {
    if (!this.#stage) throw new Error("the case has not begun");
    return this.#stage;
  }

  /** Ends the worker that makes this call. Its code may run on in this process, and answers nobody. */
  die(): Promise<void> {
    return die(new WorkerDied("the worker died on purpose"));
  }

  /** From the first call on, no system outside answers anybody for a while. */
  loseSystems(ms: number): void {
    this.#away ??= { until: this.stage.laptop.clock.now() + ms };
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.stage.laptop.clock.after(ms, () => resolve()));
  }

  readonly invoke: StageOptions["invoke"] = (step, work) =>
    inTask.run(step, async () => {
      if (step !== this.#task || !this.#stage) return work();
      this.deliveries += 1;
      if (this.isRestless && this.deliveries === 1) {
        await Promise.all([work(), work()]);
        throw new WorkerDied("the worker died before it could answer");
      }
      return work();
    });

  readonly outside: Outside = async (request, send) => {
    if (this.#away && this.stage.laptop.clock.now() < this.#away.until) {
      this.hasMet = true;
      throw new TypeError("the connection was refused");
    }
    const watch = watched.getStore();
    return watch?.request && !isLogin(request) ? watch.request(request, send) : send();
  };
}

/** The state whose task a worker does. */
const inTask = new AsyncLocalStorage<string>();
