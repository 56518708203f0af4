import { useSyncExternalStore } from "react";
import { lengthOf } from "./length.ts";

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
