import { styleText } from "node:util";
import wrapAnsi from "wrap-ansi";
import type { Screen } from "../../cli/around.ts";

/** The demo's output: colours and lines that update in place on a terminal, plain lines in a pipe. */

const { stdout } = process;
/** The width when the output is no terminal. */
const usualWidth = 100;
const widest = 140;
const usualHeight = 24;

type Style = Parameters<typeof styleText>[0];

/** The text in this style, where the terminal shows it; follows `NO_COLOR` and `FORCE_COLOR`. */
export const styled = (style: Style, text: string): string =>
  styleText(style, text, { stream: stdout });

const width = (): number => Math.min(stdout.columns || usualWidth, widest);

/** The output of operations' steps, in the form of the CLI `slipway`. */
export const screen: Screen = {
  write: (text) => void stdout.write(text),
  styled,
  isTerminal: stdout.isTTY === true,
  get columns() {
    return width();
  },
  get rows() {
    return stdout.rows || usualHeight;
  },
};

/** Prints a text in one or more lines. */
export function say(text = ""): void {
  sayBeside("", 0, text);
}

/** Prints `text` next to a label, which takes `indent` columns, in as many lines as needed. */
export function sayBeside(head: string, indent: number, text: string): void {
  const [first = "", ...rest] = wrapAnsi(text, Math.max(20, width() - indent), {
    hard: true,
    trim: false,
  }).split("\n");
  stdout.write(`${`${head}${first}`.trimEnd()}\n`);
  for (const line of rest) stdout.write(`${" ".repeat(indent)}${line.trim()}\n`);
}
