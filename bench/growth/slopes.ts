/**
 * How a count grows with the size of a world: the slope of its logarithm over that of the size, by least
 * squares. 0 is no growth, 1 is in proportion.
 */
export function slopeOf(points: readonly { size: number; count: number }[]): number {
  if (points.length < 2 || points.every(({ count }) => count === 0)) return 0;
  // A count that is nothing at first has no logarithm; a tenth of one stands for it.
  const logs = points.map(({ size, count }) => [Math.log(size), Math.log(Math.max(count, 0.1))]);
  const mean = (of: 0 | 1) => logs.reduce((sum, log) => sum + (log[of] ?? 0), 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  let [across, along] = [0, 0];
  for (const [size = 0, count = 0] of logs) {
    across += (size - x) * (count - y);
    along += (size - x) ** 2;
  }
  return across / along;
}

/**
 * The largest slope of a count that does not grow. Counts differ by a few in a hundred between worlds,
 * since hubs are drawn by lot and events fall into batches by chance; a small count has a step more or
 * less. What grows with the logarithm of a world's size, from 100 hubs to 10,000, has 0.15.
 */
export const largestSlope = 0.1;

/** In smaller worlds some pages are not full, and some counters of regions are not there yet. */
export const fewestHubs = 100;
