import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "../../clock.ts";

/** The deadline of the caller, for all requests of its work. */

const ends = new AsyncLocalStorage<number>();

/** Runs `work`; its requests fail once `wall` has reached `end`. */
export const endingAt = <T>(end: number, work: () => Promise<T>): Promise<T> => ends.run(end, work);

/** The time limit of a request: `limit`, or less if the caller's deadline comes sooner, in milliseconds. */
export const timeLeft = (wall: Clock, limit: number): number => {
  const end = ends.getStore();
  return end === undefined ? limit : Math.max(0, Math.min(limit, end - wall.now()));
};
