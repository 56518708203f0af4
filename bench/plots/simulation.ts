import { type Counts, sum } from "../../simulate/counts.ts";
import { colourAt, drawing, element, text } from "./svg.ts";

const width = 900;
const [barHeight, gap, top] = [18, 8, 92];
/** Where the bars of each panel begin, and where the longest ends. */
const panels = { faults: { left: 190, right: 400 }, ends: { left: 560, right: 820 } };

/** A simulation's output: the faults by place, and the ends of orders and changes. */
export function simulationPlot(printed: string): string {
  const faults = Object.entries(grouped(tableIn(printed, "faults by kind"), ": "))
    .map(([where, ways]): [string, number] => [where, sum(ways)])
    .toSorted(([, a], [, b]) => b - a);
  const ends = Object.entries(grouped(tableIn(printed, "orders and changes by outcome"), " "));
  const states = [...new Set(ends.flatMap(([, byState]) => Object.keys(byState)))];
  const rows = Math.max(faults.length, ends.length + 1 + states.length);
  const height = top + rows * (barHeight + gap) + 12;
  return drawing({ width, height, title: "What went wrong in a simulation, and how it ended" }, [
    text(16, 24, lineIn(printed, /^npm run simulate .*/m), { class: "head" }),
    text(16, 43, lineIn(printed, /^orders \d.*/m), { class: "quiet" }),
    text(16, 74, "What went wrong, by where", { class: "head" }),
    ...faults.flatMap(([where, n], row) =>
      barOf({ ...panels.faults, row, name: where, most: faults[0]?.[1] ?? 1 }, { [where]: n }, [
        where,
      ]),
    ),
    text(430, 74, "How orders and changes ended", { class: "head" }),
    ...ends.flatMap(([saga, byState], row) => {
      const most = Math.max(...ends.map(([, each]) => sum(each)));
      return barOf({ ...panels.ends, row, name: saga, most }, byState, states);
    }),
    ...states.flatMap((state, n) => {
      const y = yOf(ends.length + 1 + n);
      const fill = colourAt(n);
      return [
        element("rect", { x: panels.ends.left, y, width: 12, height: 12, fill }),
        text(panels.ends.left + 18, y + 11, state),
      ];
    }),
  ]);
}

const yOf = (row: number): number => top + row * (barHeight + gap);

interface Bar {
  left: number;
  right: number;
  row: number;
  name: string;
  /** The count of the longest bar. */
  most: number;
}

/** A stacked bar with its parts in this order. */
function barOf({ left, right, row, name, most }: Bar, counts: Counts, parts: readonly string[]) {
  const scale = (right - left) / most;
  const y = yOf(row);
  let x = left;
  const drawn = parts.map((part, n) => {
    const size = (counts[part] ?? 0) * scale;
    x += size;
    return element("rect", {
      ...{ x: x - size, y, width: size, height: barHeight, fill: colourAt(n) },
    });
  });
  return [
    text(left - 8, y + 13, name, { class: "end" }),
    ...drawn,
    text(x + 6, y + 13, sum(counts).toLocaleString("en"), { class: "quiet" }),
  ];
}

/** The rows of a printed table, by name. Throws when the table is missing. */
function tableIn(printed: string, title: string): Counts {
  const [, rows] = new RegExp(`^${title}:\n((?: +\\d+  .*\n?)+)`, "m").exec(printed) ?? [];
  if (rows === undefined) throw new Error(`there is no table '${title}'`);
  return Object.fromEntries(
    rows
      .trimEnd()
      .split("\n")
      .map((row) => {
        const [n = "", ...name] = row.trim().split("  ");
        return [name.join("  "), Number(n)];
      }),
  );
}

/** Counts by the part of their names before the separator, then by the rest. */
function grouped(counts: Counts, separator: string): Record<string, Counts> {
  const groups: Record<string, Counts> = {};
  for (const [name, n] of Object.entries(counts)) {
    const [group = "", ...rest] = name.split(separator);
    groups[group] = { ...groups[group], [rest.join(separator)]: n };
  }
  return groups;
}

const lineIn = (printed: string, line: RegExp): string => line.exec(printed)?.[0] ?? "";
