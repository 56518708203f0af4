import type { Json } from "../../core/kernel/store/store.ts";
import { Interrupt, isLeft } from "./errors.ts";

type Work = (signal: AbortSignal) => Promise<Json>;

/**
 * Runs all `works`, at most `limit` at a time, and resolves with their results in order. The first failure interrupts
 * the others, and is thrown when all have ended.
 */
export async function together(
  signal: AbortSignal,
  works: readonly Work[],
  limit: number,
): Promise<Json[]> {
  const siblings = new AbortController();
  const either = AbortSignal.any([signal, siblings.signal]);
  const results = new Array<Json>(works.length).fill(null);
  const queue = works.entries();
  let failure: { thrown: unknown } | undefined;

  // The lanes share one queue: each lane runs the next work when it has finished one.
  async function lane(): Promise<void> {
    for (const [index, work] of queue) {
      if (either.aborted) return;
      try {
        results[index] = await work(either);
      } catch (thrown) {
        failure ??= { thrown };
        siblings.abort(isLeft(thrown) ? thrown : new Interrupt("sibling failed"));
      }
    }
  }

  await Promise.all(Array.from({ length: Math.min(limit, works.length) }, lane));
  if (failure !== undefined) throw failure.thrown;
  signal.throwIfAborted();
  return results;
}
