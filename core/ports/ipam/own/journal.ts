import type { Write } from "../../../kernel/store/store.ts";
import type { NumberPool } from "../ipam.ts";

/** What has become of a number: somebody has it, or, with `until`, had it, and it rests until then (ms). */
export interface NumberChange {
  /** As books elsewhere name it. */
  holder: string;
  until?: number;
}

/** What is told elsewhere of the numbers too writes down, with each change of one, that it is to tell it. */
export interface Journaled {
  journal?: (pool: NumberPool, number: number, change: NumberChange) => Write;
}

/** The writes that go with a change of these numbers; none where they are told nowhere else. */
export const journal = (
  { journal: noted }: Journaled,
  pool: NumberPool,
  numbers: readonly number[],
  change: NumberChange,
): Write[] => (noted ? numbers.map((number) => noted(pool, number, change)) : []);
