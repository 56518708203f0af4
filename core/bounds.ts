/**
 * Bounds of the texts and lists that others write into Slipway's records: hubs, controllers, DPUs, fabrics, tenants. An
 * object is one item of the store, which has a limit; without bounds one reporter could fill it, and every other
 * request about the object would fail. Each bound is applied where the text comes in.
 */

/** Bytes of UTF-8. */
export const bounds = {
  /** A reason, or what a step waits for, for people to read. */
  reason: 2048,
  /** A reason where an object has many of them: for one of its drives, differences or operators. */
  line: 400,
  /** A name, a version, an id or an address. */
  name: 253,
  /** All changed paths of an event together. */
  paths: 4096,
} as const;

/** Entries of lists. */
export const most = {
  /** Lines for people, such as differences. */
  lines: 32,
  /** Addresses of one machine. */
  addresses: 256,
  /** Changed paths of an event. */
  paths: 64,
} as const;

const mark = "…";
const markBytes = Buffer.byteLength(mark);

/** The text, cut to `bytes` of UTF-8 including a mark that shows the cut. */
export function cut(text: string, bytes: number): string {
  // Each unit of a string takes at most three bytes of UTF-8.
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const start = Buffer.from(text.slice(0, bytes)).subarray(0, bytes - markBytes);
  // In streaming mode the decoder drops an incomplete last character.
  return `${new TextDecoder("utf-8", { ignoreBOM: true }).decode(start, { stream: true })}${mark}`;
}

/** The first entries of a list; the last entry then says how many were left out. */
export function firstOf<T>(list: readonly T[], count: number, more: (left: number) => T): T[] {
  if (list.length <= count) return [...list];
  const kept = list.slice(0, count - 1);
  return [...kept, more(list.length - kept.length)];
}

/** The first lines for people, each cut to its limit. */
export const cutLines = (lines: readonly string[]): string[] =>
  firstOf(
    lines.map((line) => cut(line, bounds.line)),
    most.lines,
    (left) => `and ${left} more`,
  );
