import type { Kinds } from "../../kernel/object/kind.ts";
import type { Rechecks, Wakes } from "../../kernel/saga/rechecks.ts";
import type { Zone } from "../../kernel/saga/saga.ts";
import type { Shapes } from "../../kernel/saga/settle.ts";
import { zoneOf } from "../../kernel/saga/zone.ts";
import type { Store } from "../../kernel/store/store.ts";
import type { Handover } from "../aws/lambda.ts";

/** The worker function of each zone, by name or ARN. */
export type ZoneWorkers = Record<Zone, string>;

export interface LambdaRechecksOptions {
  handover: Handover;
  workers: ZoneWorkers;
  store: Store;
  kinds: Kinds;
  shapes: Shapes;
}

/**
 * Requests rechecks from the worker function of the step's zone. The caller does not wait: Lambda queues the
 * call and retries it while the worker is busy. Throws Unavailable when Lambda did not accept it.
 */
export function lambdaRechecks({
  handover,
  workers,
  store,
  kinds,
  shapes,
}: LambdaRechecksOptions): Rechecks {
  return {
    async request(operation, step) {
      const zone = await zoneOf({ store, kinds }, shapes, operation, step);
      await handover.later(workers[zone], { operation, step, look: true });
    },
  };
}

/**
 * Wakes operations through the worker of the core zone, since that needs only the store. The worker is called
 * as for rechecks.
 */
export const lambdaWakes = (handover: Handover, worker: string): Wakes => ({
  request: (operation) => handover.later(worker, { operation, wake: true }),
});
