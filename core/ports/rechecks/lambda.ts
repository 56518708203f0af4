import type { Looks } from "../../deps.ts";
import type { Zone } from "../../kernel/saga/saga.ts";
import type { Shapes } from "../../kernel/saga/settle.ts";
import { zoneOf } from "../../kernel/saga/zone.ts";
import type { Store } from "../../kernel/store/store.ts";
import type { Handover } from "../aws/lambda.ts";

/** The worker functions by zone: names or ARNs. */
export type Workers = Record<Zone, string>;

export interface LambdaLooksOptions {
  handover: Handover;
  workers: Workers;
  store: Store;
  shapes: Shapes;
}

/**
 * Looks by the worker function of the step's zone. Nobody waits for them: Lambda keeps the call and
 * makes it again when the worker is busy. Throws Unavailable when Lambda did not take it.
 */
export function lambdaLooks({ handover, workers, store, shapes }: LambdaLooksOptions): Looks {
  return {
    async look(operation, step) {
      const zone = await zoneOf(store, shapes, operation, step);
      await handover.later(workers[zone], { operation, step, look: true });
    },
  };
}
