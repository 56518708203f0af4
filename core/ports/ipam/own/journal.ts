import type { Write } from "../../../kernel/store/store.ts";
import type { NumberPool } from "../ipam.ts";

/** What has become of a number: somebody has it, or, with `until`, had it, and it rests until then (ms). */
export interface NumberChange {
  /** As the mirror names it. */
  holder: string;
  until?: number;
}

/** Where the numbers are mirrored, each change of one goes with an item that the mirror is to be updated. */
export interface WithJournal {
  journal?: (pool: NumberPool, number: number, change: NumberChange) => Write;
}

/** The writes that go with a change of these numbers; none where nothing mirrors them. */
export const journal = (
  { journal: noted }: WithJournal,
  pool: NumberPool,
  numbers: readonly number[],
  change: NumberChange,
): Write[] => (noted ? numbers.map((number) => noted(pool, number, change)) : []);
