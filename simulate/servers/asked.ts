import { type Clock, seconds, sleep } from "../../core/clock.ts";
import { Disconnected } from "../../sim/faulty.ts";
import type { FetchHandler } from "../../sim/kubernetes/api.ts";
import type { Dice, Faults } from "../dice.ts";
import type { Slipway } from "../slipway.ts";

/** The requests of machines to the site controller, and their faults. */

type Asked = (send: () => Promise<Response>, clock: Clock) => Promise<Response>;

const faults: Faults<Asked> = {
  "is answered 503": { weight: 4, act: async () => new Response(null, { status: 503 }) },
  "does not arrive": {
    weight: 4,
    act: async () => {
      throw new Disconnected();
    },
  },
  "is done, and the answer is lost": {
    weight: 3,
    act: async (send) => {
      await send();
      throw new Disconnected();
    },
  },
  "comes twice": {
    weight: 2,
    act: async (send) => {
      await send();
      return send();
    },
  },
  "comes late": {
    weight: 3,
    act: async (send, clock) => {
      await sleep(clock, seconds(20));
      return send();
    },
  },
};

/** How machines reach the current process. A client of a process that ends gets no answer. */
export const machinesReach =
  (slipway: () => Slipway, clock: Clock, dice: Dice): FetchHandler =>
  (request) => {
    const send = async () => {
      const { process, machines } = slipway();
      let answer: Response | undefined;
      await process.serve(async () => {
        // Cloned, because a repeated request needs its body twice.
        answer = await machines.fetch(request.clone());
      });
      if (!answer) throw new Disconnected();
      return answer;
    };
    const fault = dice.roll("a request of a machine", faults);
    return fault ? fault(send, clock) : send();
  };
