import type { Screen } from "../around.ts";
import type { Column } from "./columns.ts";

/** Tables for people: nothing in them is shortened. */

/** The least columns that the last cell of a row is wrapped to; with less it goes below its row. */
const narrowest = 24;
const gap = "  ";
const indent = "    ";

/**
 * A line for each object below a line of heads; a column in which nothing stands is left out. On a terminal the last
 * cell is wrapped where the line is too long; elsewhere each object is one line.
 */
export function tableOf(
  objects: readonly unknown[],
  columns: readonly Column[],
  screen: Screen,
): string {
  const cells = columns.map(({ cell }) => objects.map((object) => cell(object)));
  const kept = columns.flatMap(({ head, dull = "" }, n) => {
    const texts = cells[n] ?? [];
    return n === 0 || texts.some((text) => text !== "" && text !== dull) ? [[head, ...texts]] : [];
  });
  const widths = kept.map((texts) => Math.max(...texts.map((text) => text.length)));
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + gap.length, 0);
  const lines = Array.from({ length: objects.length + 1 }, (_, row) => {
    const texts = kept.map((column) => column[row] || "-");
    const firsts = texts.slice(0, -1).map((text, n) => text.padEnd(widths[n] ?? 0));
    const last = kept.at(-1)?.[row] ?? "";
    const head = firsts.map((text) => text + gap).join("");
    if (!screen.isTerminal || last === "" || before + last.length <= screen.columns)
      return `${head}${last || (kept.length > 1 ? "" : "-")}`.trimEnd();
    const room = screen.columns - before;
    if (room >= narrowest) return head + wrapped(last, room).join(`\n${" ".repeat(before)}`);
    const below = wrapped(last, Math.max(narrowest, screen.columns - indent.length));
    return [head.trimEnd(), ...below.map((line) => indent + line)].join("\n");
  });
  return `${lines.join("\n")}\n`;
}

/** The words of a text in lines of at most this width; a longer word is a line of its own. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** How many lines of a terminal these take: one that is wider than it takes several. */
export const heightOf = (lines: readonly string[], { columns }: Screen): number =>
  lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
