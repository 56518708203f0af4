/** The marks of an axis of time. */

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The distances between two marks, each a round number on a clock. */
const distances = [
  ...[minute, 2 * minute, 5 * minute, 10 * minute, 30 * minute],
  ...[hour, 2 * hour, 6 * hour, 12 * hour],
  ...[day, 7 * day],
];

/**
 * At most six round times between two others, in milliseconds. Marks closer than a minute would show the same time.
 */
export function ticksIn(from: number, to: number): number[] {
  const distance = distances.find((each) => (to - from) / each <= 5) ?? (to - from) / 5;
  const first = Math.ceil(from / distance) * distance;
  const count = Math.max(0, Math.floor((to - first) / distance) + 1);
  return Array.from({ length: count }, (_, n) => first + n * distance);
}
