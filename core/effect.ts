import { AsyncLocalStorage } from "node:async_hooks";

/** Effects at systems outside, and the permission of the running work to make them. */

/** Throws when the work may have no further effect. */
type Guard = () => Promise<void>;

const guards = new AsyncLocalStorage<Guard>();

/**
 * Runs `work` under a guard: each of its requests that changes something at a system outside is sent only if the guard
 * does not throw. So no step can forget the check.
 */
export const guarded = <T>(guard: Guard, work: () => Promise<T>): Promise<T> =>
  guards.run(guard, work);

/**
 * Every adapter calls this right before each request that changes something. Throws the error of the work's guard; work
 * without a guard, such as a sweep, may always have effects.
 */
export const beforeEffect = async (): Promise<void> => guards.getStore()?.();
