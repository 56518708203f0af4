import { colourAt, drawing, element, text } from "./svg.ts";

/** Dollars per thousand changes, by change and part. */
export type Dollars = Record<string, Record<string, number>>;

const [width, barHeight, gap] = [900, 26, 14];
const [left, right, top] = [130, 820, 60];
/** The legend's entries per row. */
const inRow = 5;

/** The cost of a thousand changes: a stacked bar for each change. */
export function costPlot(dollars: Dollars): string {
  const changes = Object.entries(dollars);
  const parts = Object.keys(changes[0]?.[1] ?? {}).filter((part) => part !== "together");
  const most = Math.max(...changes.map(([, each]) => each.together ?? 0));
  const scale = (right - left) / most;
  const bottom = top + changes.length * (barHeight + gap);
  const height = bottom + 24 + 22 * Math.ceil(parts.length / inRow);
  return drawing({ width, height, title: "What a thousand changes cost on AWS, by part" }, [
    text(16, 24, "Dollars per thousand changes, by what they are for", { class: "head" }),
    text(16, 41, "a life is a create and a delete", { class: "quiet" }),
    ...changes.flatMap(([change, each], n) => {
      const y = top + n * (barHeight + gap);
      let x = left;
      const bars = parts.map((part, at) => {
        const size = (each[part] ?? 0) * scale;
        x += size;
        const fill = colourAt(at);
        return element("rect", { x: x - size, y, width: size, height: barHeight, fill });
      });
      const middle = y + barHeight / 2 + 4;
      return [
        text(left - 10, middle, change, { class: "end" }),
        ...bars,
        text(x + 8, middle, (each.together ?? 0).toFixed(2), { class: "head" }),
      ];
    }),
    ...parts.flatMap((part, at) => {
      const x = left + (at % inRow) * 150;
      const y = bottom + 12 + 22 * Math.floor(at / inRow);
      return [
        element("rect", { x, y, width: 12, height: 12, fill: colourAt(at) }),
        text(x + 18, y + 11, part),
      ];
    }),
  ]);
}
