import type { Screen } from "../around.ts";
import type { Column } from "./columns.ts";
import { visible } from "./unsafe.ts";

/** Tables for people, without shortened cells. */

/** The least width that the last cell is wrapped to; with less room it goes below its row. */
const narrowest = 24;
const gap = "  ";
const indent = "    ";

/**
 * A line for each object below the heads; an empty column is omitted. On a terminal, cells of a line that is too
 * long are wrapped: the last cell, and while it has no room the widest others. Elsewhere each object is one line.
 */
export function outputTable(
  objects: readonly unknown[],
  columns: readonly Column[],
  screen: Screen,
): string {
  const cells = columns.map(({ cell }) => objects.map((object) => visible(cell(object))));
  const kept = columns.flatMap(({ head, dull = "" }, n) => {
    const texts = cells[n] ?? [];
    return n === 0 || texts.some((text) => text !== "" && text !== dull) ? [[head, ...texts]] : [];
  });
  const widths = widthsOf(kept, screen);
  const before = widths.reduce((sum, width) => sum + width + gap.length, 0);
  const lines = Array.from({ length: objects.length + 1 }, (_, row) => {
    const last = kept.at(-1)?.[row] ?? "";
    const room = screen.columns - before;
    const isWhole = !screen.isTerminal || last === "" || last.length <= room;
    const isBelow = !isWhole && room < narrowest;
    const wholeCell = last || (kept.length > 1 ? "" : "-");
    const beside = [
      ...widths.map((width, n) => ({ width, lines: wrappedText(kept[n]?.[row] || "-", width) })),
      { width: 0, lines: isBelow ? [] : isWhole ? [wholeCell] : wrappedText(last, room) },
    ];
    const below = isBelow
      ? wrappedText(last, Math.max(narrowest, screen.columns - indent.length))
      : [];
    return [...sideBySide(beside), ...below.map((line) => indent + line)].join("\n");
  });
  return `${lines.join("\n")}\n`;
}

/**
 * The widths of all columns but the last: those of their cells. If the last column then has no room
 * on a terminal, the widest columns shrink, but not below their longest words.
 */
function widthsOf(kept: readonly (readonly string[])[], screen: Screen): number[] {
  const whole = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length));
  const firsts = kept.slice(0, -1);
  const widths = firsts.map(whole);
  const room = screen.columns - Math.min(narrowest, whole(kept.at(-1) ?? [""]));
  const excess = () => widths.reduce((sum, width) => sum + width + gap.length, 0) - room;
  const least = firsts.map((texts) => whole(texts.flatMap((text) => text.split(" "))));
  const narrowed = least.reduce((sum, width) => sum + width + gap.length, 0);
  if (!screen.isTerminal || narrowed > room) return widths;
  while (excess() > 0) {
    const giving = widths.map((width, n) => (width > (least[n] ?? 0) ? width : 0));
    const widest = giving.indexOf(Math.max(...giving));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** The lines of a row whose cells have several lines each. */
function sideBySide(cells: readonly { width: number; lines: readonly string[] }[]): string[] {
  const height = Math.max(1, ...cells.map(({ lines }) => lines.length));
  return Array.from({ length: height }, (_, n) =>
    cells
      .map(({ width, lines }) => (lines[n] ?? "").padEnd(width))
      .join(gap)
      .trimEnd(),
  );
}

/** Wraps a text to lines of at most this width; a longer word is a line of its own. */
export function wrappedText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The number of lines on a terminal, where a line that is too wide takes several. */
export const heightOf = (lines: readonly string[], { columns }: Screen): number =>
  lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
