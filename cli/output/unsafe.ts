/**
 * What a terminal obeys or shows in another order: controls (C0, C1), line separators, and marks of direction. Systems
 * outside, and other tenants, may put them into their words.
 */
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The text with these as escapes, such as `\u009b`; lines stay lines. */
export const visible = (text: string): string =>
  text.replaceAll(unsafe, (each) => (each === "\n" || each === "\t" ? each : escaped(each)));

/** Whether `visible` changes it. */
export const isUnsafe = (text: string): boolean => visible(text) !== text;

/** JSON that says the same, without them: within it they stand in texts alone. */
export const jsonOf = (value: unknown, indent?: number): string =>
  visible(JSON.stringify(value, null, indent));

/** A text as it is for a program, and safe for a terminal. */
export const textFor = ({ isTerminal }: { isTerminal: boolean }, text: string): string =>
  isTerminal ? visible(text) : text;
