import { useSyncExternalStore } from "react";

/** Times: relative in the text, absolute in the title, updated as time passes. */

const beat = 10_000;
/**
 * How far the API's clock is ahead of the browser's, by the last answer. A laptop's simulated world has its own time.
 */
let ahead = 0;
let now = Date.now();

/** Stores the time of an answer. */
export function noteTime(date: string | null): void {
  const time = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(time)) return;
  // The header has whole seconds, and an answer takes some time.
  const seen = time - Date.now();
  ahead = Math.abs(seen) < 5000 ? 0 : seen;
}

export const presentTime = (): number => Date.now() + ahead;
export const isSimulated = (): boolean => Math.abs(ahead) > 60_000;

const subscribe = (listener: () => void): (() => void) => {
  const timer = setInterval(() => {
    now = presentTime();
    listener();
  }, beat);
  return () => clearInterval(timer);
};
export const useNow = (): number => useSyncExternalStore(subscribe, () => now);

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

/** How long ago a time is, or how far ahead. */
export function Ago({ time, at }: { time: string | undefined; at?: number }) {
  useNow();
  if (time === undefined) return null;
  const gone = (at ?? presentTime()) - Date.parse(time);
  const words = gone < 0 ? `in ${lengthOf(-gone)}` : `${lengthOf(gone)} ago`;
  return (
    <time dateTime={time} title={time}>
      {Math.abs(gone) < 1000 ? "now" : words}
    </time>
  );
}

export function For({ since, until }: { since: string | undefined; until?: string | undefined }) {
  useNow();
  if (since === undefined) return null;
  const end = until === undefined ? presentTime() : Date.parse(until);
  return (
    <time dateTime={since} title={until === undefined ? `since ${since}` : `${since} to ${until}`}>
      {lengthOf(Math.max(0, end - Date.parse(since)))}
    </time>
  );
}
