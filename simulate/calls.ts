import { type Clock, seconds, sleep } from "../core/clock.ts";
import { Disconnected } from "../sim/faulty.ts";
import { pastTime, workerTimeout } from "../test/support/worker-time.ts";
import type { Faults } from "./dice.ts";

/** A call of a system outside, while it is under way. */
export interface Call {
  send(): Promise<Response>;
  /** The system's refusal, in its own form. */
  refuse(status: number): Response;
  clock: Clock;
  /** When the worker began whose call it is. */
  began: number | undefined;
}

type CallFault = (call: Call) => Promise<Response>;

const answers =
  (status: number): CallFault =>
  async ({ refuse }) =>
    refuse(status);

/** Answers, and has what was asked for happen later: a server behind a server that gave up. */
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
 * The ways for a call to go wrong. Most of them pass, so that the order waits and continues; after a
 * refusal it turns back. A refusal while it turns back leaves it stuck, and a person has it continue.
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

/** Of a call that is to change something: it can also have its effect after its answer. */
export const changeFaults: Faults<CallFault> = {
  ...callFaults,
  "is answered 500, and is done later": { weight: 8, act: later(answers(500)) },
  "is answered 503, and is done later": { weight: 4, act: later(answers(503)) },
};
