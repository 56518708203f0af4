/** The longest pause, in milliseconds. */
const longest = 30_000;

/** The pause after `failures` consecutive failures: none after the first, then growing, with jitter. */
export function backoff(failures: number, random: () => number): number {
  if (failures <= 1) return 0;
  return Math.min(longest, 1000 * 2 ** (failures - 2)) * (0.5 + random() / 2);
}
