/**
 * What is kept of words and lists that others write into our records: hubs, controllers, DPUs, fabrics, tenants. An
 * object is one item of the store, which has a limit; without these bounds one reporter could fill it, and every other
 * request about the object would fail. Each is applied where the words come in.
 */

/** Bytes of UTF-8. */
export const bounds = {
  /** A reason, or what is waited for, in words for people. */
  reason: 2048,
  /** The same where an object has many of them: one of its drives, differences or operators. */
  line: 400,
  /** A name, a version, an id or an address. */
  name: 253,
  /** All paths together that an event says have changed. */
  paths: 4096,
} as const;

/** Entries of lists. */
export const most = {
  /** Lines for people, such as differences. */
  lines: 32,
  /** Addresses of one machine. */
  addresses: 256,
  /** Paths that an event says have changed. */
  paths: 64,
} as const;

const mark = "…";
const markBytes = Buffer.byteLength(mark);

/** The text, or as much of its beginning as `bytes` of UTF-8 hold with a mark that there was more. */
export function cut(text: string, bytes: number): string {
  // No character takes more than three bytes of UTF-8 for each unit of a string.
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const start = Buffer.from(text.slice(0, bytes)).subarray(0, bytes - markBytes);
  // In a stream, the last character is left out where it is not whole.
  return `${new TextDecoder("utf-8", { ignoreBOM: true }).decode(start, { stream: true })}${mark}`;
}

/** The first of a list, with a last one that says how many were left out. */
export function firstOf<T>(list: readonly T[], count: number, more: (left: number) => T): T[] {
  if (list.length <= count) return [...list];
  const kept = list.slice(0, count - 1);
  return [...kept, more(list.length - kept.length)];
}

/** Lines for people, each cut, and the first of them. */
export const cutLines = (lines: readonly string[]): string[] =>
  firstOf(
    lines.map((line) => cut(line, bounds.line)),
    most.lines,
    (left) => `and ${left} more`,
  );
