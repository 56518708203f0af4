import { type Clock, seconds, sleep } from "../core/clock.ts";
import { Disconnected } from "../sim/faulty.ts";
import { pastTime, workerTimeout } from "../test/support/worker-time.ts";
import type { Faults } from "./dice.ts";

/** A pending call of an outside system. */
export interface Call {
  send(): Promise<Response>;
  /** The system's refusal, in its own form. */
  refuse(status: number): Response;
  clock: Clock;
  /** The start of the worker that made the call. */
  began: number | undefined;
}

type CallFault = (call: Call) => Promise<Response>;

const answers =
  (status: number): CallFault =>
  async ({ refuse }) =>
    refuse(status);

/** Answers at once, and applies the request later, as a gateway whose server is slow does. */
const later =
  (answer: CallFault): CallFault =>
  async (call) => {
    const { send, clock, began = clock.now() } = call;
    const until = Math.min(clock.now() + seconds(10), began + pastTime);
    void sleep(clock, Math.max(0, until - clock.now())).then(() => done(send).catch(() => {}));
    return answer(call);
  };

const done = async (send: Call["send"]): Promise<void> => {
  const response = await send();
  await response.body?.cancel();
};

/**
 * The faults of calls. Most are transient: the order waits and then continues. After a refusal the
 * order turns back. After a refusal during the undo the operation is stuck, until a person resumes
 * it.
 */
export const callFaults: Faults<CallFault> = {
  "is answered 503": { weight: 20, act: answers(503) },
  "is answered 429": { weight: 12, act: answers(429) },
  "is answered 500": { weight: 12, act: answers(500) },
  "is answered 500, and is done": {
    weight: 10,
    act: async ({ send, refuse }) => {
      await done(send);
      return refuse(500);
    },
  },
  "does not arrive": {
    weight: 12,
    act: async () => {
      throw new Disconnected();
    },
  },
  "is done, and the answer is lost": {
    weight: 12,
    act: async ({ send }) => {
      await done(send);
      throw new Disconnected();
    },
  },
  "takes long": {
    weight: 8,
    act: async ({ send, clock }) => {
      await sleep(clock, seconds(5));
      return send();
    },
  },
  "gets no answer": {
    weight: 5,
    act: async ({ clock }) => {
      await sleep(clock, seconds(120));
      throw new Disconnected();
    },
  },
  "lands when its worker is gone": {
    weight: 5,
    act: async ({ send, clock, began = clock.now() - workerTimeout }) => {
      await sleep(clock, Math.max(0, began + pastTime - clock.now()));
      return send();
    },
  },
  "meets a conflict": { weight: 0.4, act: answers(409) },
  "is refused": { weight: 0.4, act: answers(422) },
  "is forbidden": { weight: 0.2, act: answers(403) },
};

/** The further faults of calls that change something: the effect can also follow the answer. */
export const changeFaults: Faults<CallFault> = {
  ...callFaults,
  "is answered 500, and is done later": { weight: 8, act: later(answers(500)) },
  "is answered 503, and is done later": { weight: 4, act: later(answers(503)) },
};
