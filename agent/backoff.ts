/** The longest pause, in milliseconds. */
const longest = 30_000;

/**
 * How long to pause after `failures` failures in a row: not at all after the first, with jitter
 * after more.
 */
export function backoff(failures: number, random: () => number): number {
  if (failures <= 1) return 0;
  return Math.min(longest, 1000 * 2 ** (failures - 2)) * (0.5 + random() / 2);
}
