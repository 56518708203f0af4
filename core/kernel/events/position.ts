import { createHash } from "node:crypto";

/**
 * Positions in an event log: texts that sort in the order of the log. A position is the time of an entry and a
 * digest of its event's id, because clients also get positions of events that they may not see. A time alone is
 * the position before all entries of that time.
 */

const digits = 16;

/** The position before all entries of a log. */
export const beginning = "0";

export const atTime = (time: number): string => String(time).padStart(digits, "0");

/** `event` identifies one event among all. */
export function ofEntry(time: number, event: string): string {
  const digest = createHash("sha256").update(event).digest("base64url");
  return `${atTime(time)}.${digest.slice(0, 11)}`;
}

/** The time of a position, in microseconds. */
export const timeOf = (position: string): number => Number(position.slice(0, digits));

/** A text that sorts after a position and before every entry behind it. */
export const behind = (position: string): string => `${position}!`;

/** The pattern of positions, for checks of clients' positions. */
export const positionPattern = /^(0|\d{16}(\.[\w-]{11})?)$/;
