/**
 * Characters that a terminal executes or that change the order of text: controls (C0, C1), line separators, and
 * direction marks. Outside systems and other tenants may put them into their texts.
 */
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The text with these characters as escapes, such as `\u009b`; line breaks and tabs remain. */
export const visible = (text: string): string =>
  text.replaceAll(unsafe, (each) => (each === "\n" || each === "\t" ? each : escaped(each)));

/** Whether a text contains such characters. */
export const isUnsafe = (text: string): boolean => visible(text) !== text;

/**
 * The value as JSON without these characters: in JSON they occur only in strings, where escapes
 * mean the same.
 */
export const jsonOf = (value: unknown, indent?: number): string =>
  visible(JSON.stringify(value, null, indent));

/** The text unchanged for a program, and without these characters for a terminal. */
export const textFor = ({ isTerminal }: { isTerminal: boolean }, text: string): string =>
  isTerminal ? visible(text) : text;
