import { styleText } from "node:util";
import wrapAnsi from "wrap-ansi";

/** The demo's output: on a terminal in colour and with lines that change, plain lines into a pipe. */

const { stdout } = process;
/** The width for a pipe. */
const usualWidth = 100;
const widest = 140;

type Style = Parameters<typeof styleText>[0];

/** The text in this style, where the terminal shows it; follows `NO_COLOR` and `FORCE_COLOR`. */
export const styled = (style: Style, text: string): string =>
  styleText(style, text, { stream: stdout });

const width = (): number => Math.min(stdout.columns ?? usualWidth, widest);

/** The number of lines at the bottom that the next output replaces. */
let passing = 0;

/** Prints a text in one or more lines. */
export function say(text = ""): void {
  sayBeside("", 0, text);
}

/** Prints `text` beside `head`, which takes `indent` columns, in as many lines as needed. */
export function sayBeside(head: string, indent: number, text: string): void {
  const [first = "", ...rest] = wrapAnsi(text, Math.max(20, width() - indent), {
    hard: true,
    trim: false,
  }).split("\n");
  takeBack();
  stdout.write(`${`${head}${first}`.trimEnd()}\n`);
  for (const line of rest) stdout.write(`${" ".repeat(indent)}${line.trim()}\n`);
}

/** Prints lines that the next output replaces; prints none where lines cannot be replaced. */
export function sayForNow(lines: { head: string; indent: number; text: string }[]): void {
  if (!stdout.isTTY) return;
  takeBack();
  for (const { head, indent, text } of lines)
    stdout.write(`${head}${styled("dim", text.slice(0, Math.max(0, width() - indent - 1)))}\n`);
  passing = lines.length;
}

function takeBack(): void {
  if (passing > 0) stdout.write(`\u001b[${passing}A\u001b[0J`);
  passing = 0;
}
