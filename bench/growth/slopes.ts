/**
 * The growth of a count with the size of a world: the slope of its logarithm over the size's, by least squares. 0 is no
 * growth, 1 is proportional.
 */
export function slopeOf(points: readonly { size: number; count: number }[]): number {
  if (points.length < 2 || points.every(({ count }) => count === 0)) return 0;
  // A count of 0 has no logarithm; 0.1 replaces it.
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
 * The largest slope of a count that does not grow. Counts vary by a few percent between worlds, since hubs are chosen
 * by lot and events are batched by chance; a small count can differ by one. Logarithmic growth from 100 hubs to 10,000
 * has a slope of 0.15.
 */
export const largestSlope = 0.1;

/** In smaller worlds some pages are not full, and some counters of regions do not exist yet. */
export const fewestHubs = 100;
