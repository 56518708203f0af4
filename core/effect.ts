import { AsyncLocalStorage } from "node:async_hooks";

/** Effects at systems outside, and whether the work that makes them still may. */

/** Throws when the work may have no effect any more. */
type Guard = () => Promise<void>;

const guards = new AsyncLocalStorage<Guard>();

/**
 * Runs `work` under a guard: each request of it that changes something at a system outside is sent
 * only if the guard does not throw. So no step can forget to ask.
 */
export const guarded = <T>(guard: Guard, work: () => Promise<T>): Promise<T> =>
  guards.run(guard, work);

/**
 * Asked by every adapter right before each request that changes something. Throws what the guard of
 * the work throws; work without a guard, such as a sweep, may always.
 */
export const beforeEffect = async (): Promise<void> => guards.getStore()?.();
