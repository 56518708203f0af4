import { timeText } from "../../core/clock.ts";
import { visible } from "./unsafe.ts";

/** Reads members of answers for people. Answers may have any shape, so nothing about them is assumed. */

/** The member at a path such as `status.state`. */
export function at(object: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), object);
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value if it is a text, else an empty text. */
export const text = (value: unknown): string =>
  typeof value === "string" ? plainValue(value) : "";

/** A count with a noun: `1 subnet`, `2 nat gateways`. Every noun here has a plural in `s`. */
export function counted(count: number, kind: string): string {
  const name = kind.replaceAll("_", " ");
  return `${count} ${count === 1 ? name : `${name}s`}`;
}

/** The text in one line, without control characters from outside systems. */
export const plainValue = (words: string): string =>
  visible(words.replaceAll(/[\p{Cc}\s]+/gu, " "));

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The value in one line, for a cell of a table; empty without a value. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return shownText(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) {
    const texts = value.map(shownItem);
    return texts.some((each) => each === "") ? String(value.length) : texts.join(",");
  }
  if (isRecord(value)) return shownRecord(value);
  return String(value);
}

/** A constant without the prefix of its set; a time without fractions of a second. */
function shownText(value: string): string {
  const [, word] =
    /^[A-Z][A-Z0-9_]*_(?:STATE|PHASE|RESULT|FAMILY|CONDITION(?!_(?:TYPE|STATUS))|MEMBERSHIP_ROLE)_([A-Z0-9_]+)$/.exec(
      value,
    ) ?? [];
  if (word !== undefined) return word;
  return timeText(plainValue(value));
}

/** A reference by its name; a map by its entries. */
function shownRecord(value: Record<string, unknown>): string {
  if ("id" in value || "name" in value) return text(value.name) || text(value.id);
  const entries = Object.entries(value).map(([name, each]) => {
    const size = isRecord(each) && "size" in each ? each.size : each;
    return `${name}=${shown(size)}`;
  });
  return entries.join(",");
}

function shownItem(value: unknown): string {
  return isRecord(value) ? text(value.name) || text(value.id) || text(value.user) : shown(value);
}

/** A duration such as `6m 02s`, `3h 12m` or `2d 4h`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const pad = (n: number) => String(n).padStart(2, "0");
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`;
  const hours = Math.floor(seconds / 3600);
  if (hours < 48) return `${hours}h ${pad(Math.floor((seconds % 3600) / 60))}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** The time between two moments; empty when one is unknown. */
export function between(from: unknown, to: unknown): string {
  const [start, end] = [Date.parse(text(from)), Date.parse(text(to))];
  return Number.isNaN(start) || Number.isNaN(end) ? "" : duration(end - start);
}
