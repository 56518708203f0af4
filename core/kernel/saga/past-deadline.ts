import { AppError } from "../../error.ts";
import type { StepEntry } from "./operation.ts";

/**
 * The error of a step that exceeded its deadline: the last reason of its wait, or the error of the last try. The
 * entry's message has both. Pure; `now` in milliseconds.
 */
export function pastDeadline(entry: StepEntry, now: number): AppError {
  const { state, message, blocked_by, start_time, waiting_since = start_time } = entry;
  const time = waiting_since === undefined ? "its time" : inWords(now - Date.parse(waiting_since));
  const isInVain = state !== "WAITING" || blocked_by !== undefined;
  return new AppError(
    "DeadlineExceeded",
    message !== undefined && !isInVain
      ? `waited ${time} for ${message}`
      : `not done within ${time}${message === undefined ? "" : `; last: ${message}`}`,
  );
}

const inWords = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
};
