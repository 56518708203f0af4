import { AsyncLocalStorage } from "node:async_hooks";
import type { Outside } from "../outside.ts";
import { Died } from "./breakage.ts";
import type { Fault, Stage } from "./stage.ts";

/** Trouble between the worker of one state and the world: on its way to systems outside, or to it. */

/** The state whose task a worker does. */
const during = new AsyncLocalStorage<string>();

interface Call {
  stage: Stage;
  request: Request;
  send: () => Promise<Response>;
  /** The first request of the state at all, and the first that is to change something outside. */
  isFirst: boolean;
  isFirstChange: boolean;
}

/** What happens to a request that the state makes. */
interface Trouble {
  /** The task is delivered twice at once, and the worker that did it dies before it has answered. */
  restless?: boolean;
  to(call: Call): Promise<Response>;
}

/** Longer than clients wait for an answer and than a worker may run, and within its lease. */
const late = 21_000;

const arriveLate = ({ stage }: Call): Promise<void> =>
  new Promise((resolve) => void stage.laptop.clock.after(late, resolve));

async function cancelNewest(stage: Stage): Promise<void> {
  const newest = await stage.newest();
  if (newest) await stage.cancel(newest.id);
}

const faulty = ({ stage, request, send }: Call, fault: Fault): Promise<Response> =>
  stage.withFault(fault, request, send);

export const troubles = {
  "delivered twice, throttled, an answer lost, dead before it is told": {
    restless: true,
    to: async (call) => {
      if (call.isFirst) return faulty(call, { fault: "error", status: 429 });
      return call.isFirstChange ? faulty(call, { fault: "crash_after" }) : call.send();
    },
  },
  "a conflict": {
    to: async (call) => (call.isFirstChange ? faulty(call, { fault: "conflict" }) : call.send()),
  },
  "an effect that lands when its worker is gone": {
    to: async (call) => {
      if (call.isFirstChange) await arriveLate(call);
      return call.send();
    },
  },
  "an effect that lands after its order was cancelled": {
    to: async (call) => {
      if (call.isFirstChange) {
        await cancelNewest(call.stage);
        await arriveLate(call);
      }
      return call.send();
    },
  },
} satisfies Record<string, Trouble>;

export class Weather {
  /** How many requests of the state were to change something outside. */
  changes = 0;
  /** How often the state's task was delivered. */
  deliveries = 0;
  readonly #state: string;
  readonly #trouble: Trouble;
  #stage: Stage | undefined;
  #requests = 0;

  constructor(state: string, trouble: Trouble) {
    this.#state = state;
    this.#trouble = trouble;
  }

  /** From here on. */
  over(stage: Stage): void {
    this.#stage = stage;
    if (!this.#trouble.restless) return;
    const { workflow } = stage.laptop.deps;
    const { succeed } = workflow;
    workflow.succeed = async (token) =>
      this.#isHere() && this.deliveries === 1 ? true : succeed(token);
  }

  readonly invoke = (step: string, work: () => Promise<unknown>): Promise<unknown> =>
    during.run(step, async () => {
      if (!this.#isHere()) return work();
      this.deliveries += 1;
      if (!this.#trouble.restless || this.deliveries > 1) return work();
      await Promise.all([work(), work()]);
      throw new Died("the worker died before it could answer");
    });

  readonly outside: Outside = async (request, send) => {
    const stage = this.#stage;
    const isLogin = /\/auth(\/|$)/.test(new URL(request.url).pathname);
    if (!stage || !this.#isHere() || isLogin) return send();
    const isFirst = this.#requests++ === 0;
    const isChange = request.method !== "GET";
    const isFirstChange = isChange && this.changes === 0;
    // One that is throttled is not done; the next is the first.
    if (isChange && !(this.#trouble.restless && isFirst)) this.changes += 1;
    return this.#trouble.to({ stage, request, send, isFirst, isFirstChange });
  };

  #isHere(): boolean {
    return this.#stage !== undefined && during.getStore() === this.#state;
  }
}
