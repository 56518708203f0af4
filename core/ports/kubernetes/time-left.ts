import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../../clock.ts";

/** How long a caller waits for all the requests that some work makes. */

const ends = new AsyncLocalStorage<number>();

/** Runs `work`, whose requests have no answer any more once `wall` has reached `end`. */
export const endingAt = <T>(end: number, work: () => Promise<T>): Promise<T> => ends.run(end, work);

/** How long a request may take that may take `limit` by itself, in milliseconds. */
export const timeLeft = (wall: Clock, limit: number): number => {
  const end = ends.getStore();
  return end === undefined ? limit : Math.max(0, Math.min(limit, end - wall.now()));
};
