/** Times and their lengths as text. */

const units: readonly [unit: string, ms: number][] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
];

/** A length of time: `47 s`, `12 min`, `1 h 12 min`, `3 d 4 h`. */
export function lengthOf(ms: number): string {
  const at = units.findIndex(([, size]) => ms >= size);
  const [unit, size] = units[at] ?? ["s", 1000];
  const whole = `${Math.floor(ms / size)} ${unit}`;
  const [finer, part] = units[at + 1] ?? [];
  // Seconds beside minutes change faster than anybody reads.
  if (unit === "min" || finer === undefined || part === undefined) return whole;
  const rest = Math.floor((ms % size) / part);
  return rest === 0 ? whole : `${whole} ${rest} ${finer}`;
}

/** A time of day on the reader's clock, with its date if that is another day than `now`. */
export function clockTime(time: number, now: number): string {
  const at = new Date(time);
  const isToday = at.toDateString() === new Date(now).toDateString();
  const clock = at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return isToday
    ? clock
    : `${at.toLocaleDateString([], { month: "short", day: "numeric" })} ${clock}`;
}
