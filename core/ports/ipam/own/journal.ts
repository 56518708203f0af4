import type { Write } from "../../../kernel/store/store.ts";
import type { NumberPool } from "../ipam.ts";

/**
 * The new state of a number: held, or, with `until`, resting until then (ms) after its holder has released
 * it.
 */
export interface NumberChange {
  /** The holder's name in the mirror. */
  holder: string;
  until?: number;
}

/** For numbers with a mirror: the write of a pending update for each change of a number. */
export interface WithJournal {
  journal?: (pool: NumberPool, number: number, change: NumberChange) => Write;
}

/** The writes that accompany a change of these numbers; none without a mirror. */
export const journal = (
  { journal: noted }: WithJournal,
  pool: NumberPool,
  numbers: readonly number[],
  change: NumberChange,
): Write[] => (noted ? numbers.map((number) => noted(pool, number, change)) : []);
