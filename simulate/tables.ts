import { type Counts, count, pattern } from "./counts.ts";

/** Tables of counts for the report. */

/** The limit of lines of a table. */
export const shown = 15;

export function byPattern(lines: readonly string[]): Counts {
  const counts: Counts = {};
  for (const line of lines) count(counts, pattern(line));
  return counts;
}

/** A table, sorted by count, largest first. */
export function table(title: string, counts: Counts, most = Number.POSITIVE_INFINITY): string {
  const rows = Object.entries(counts).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return listed(title, rows, most);
}

/** A table of the rows in their order. */
export function listed(
  title: string,
  rows: readonly [string, number][],
  most = Number.POSITIVE_INFINITY,
): string {
  if (rows.length === 0) return `${title}: none`;
  const width = Math.max(...rows.map(([, n]) => String(n).length));
  const lines = rows.slice(0, most).map(([name, n]) => `  ${String(n).padStart(width)}  ${name}`);
  const left = rows.length - lines.length;
  return [`${title}:`, ...lines, ...(left > 0 ? [`  and ${left} more`] : [])].join("\n");
}
