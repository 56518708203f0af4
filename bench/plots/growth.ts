import type { Measured } from "../growth/measure.ts";
import { colourAt, drawing, element, text } from "./svg.ts";

/** The cost of each request, by the number of hubs in the world. */
export type Worlds = Record<string, Record<string, Measured>>;

/** The measurements in the plot. */
const drawn = [
  "create a cluster",
  "delete it",
  "list clusters",
  "clusters of a label",
  "capacity, provider",
  "get a host type",
  "get a cluster",
];

const panels = [
  { name: "read units", title: "Read units of DynamoDB" },
  { name: "CPU ms", title: "CPU, milliseconds" },
] as const;

const [width, height] = [900, 360];
/** The left, right, upper and lower ends of a panel's axes. */
const [left, right, upper, lower] = [48, 290, 56, 300];
const panelWidth = width / panels.length;
/** The smallest distance between two labels. */
const line = 15;

/** Counts by size, both on logarithmic scales: a count that does not grow is a level line. */
export function growthPlot(worlds: Worlds): string {
  const sizes = Object.keys(Object.values(worlds)[0] ?? {})
    .map(Number)
    .sort((a, b) => a - b);
  return drawing(
    { width, height, title: "What an order and each request take as a deployment grows" },
    panels.flatMap((panel, n) => [
      `<g transform="translate(${n * panelWidth} 0)">`,
      ...panelOf(panel, worlds, sizes),
      "</g>",
    ]),
  );
}

function panelOf(
  { name, title }: (typeof panels)[number],
  worlds: Worlds,
  sizes: readonly number[],
): string[] {
  const counts = drawn.map((what) => sizes.map((size) => worlds[what]?.[size]?.[name] ?? 0));
  const decades = {
    from: Math.floor(Math.log10(Math.max(0.1, Math.min(...counts.flat())))),
    to: Math.ceil(Math.log10(Math.max(10, ...counts.flat()))),
  };
  const [first = 1, last = 10] = [sizes[0], sizes.at(-1)];
  const x = (size: number) =>
    left + ((right - left) * Math.log(size / first)) / Math.max(1e-9, Math.log(last / first));
  const y = (count: number) =>
    lower -
    ((lower - upper) * (Math.log10(Math.max(count, 10 ** decades.from)) - decades.from)) /
      (decades.to - decades.from);
  const ends = apart(counts.map((each) => y(each.at(-1) ?? 0)));
  return [
    text(left, 24, title, { class: "head" }),
    text(left, 41, "by hubs; 100 hosts and 100 clusters each", { class: "quiet" }),
    ...Array.from(
      { length: decades.to - decades.from + 1 },
      (_, n) => 10 ** (decades.from + n),
    ).flatMap((count) => [
      element("line", { class: "grid", x1: left, x2: right, y1: y(count), y2: y(count) }),
      text(left - 6, y(count) + 4, count.toLocaleString("en"), { class: "quiet end" }),
    ]),
    ...sizes.map((size) =>
      text(x(size), lower + 20, size.toLocaleString("en"), { class: "quiet middle" }),
    ),
    ...drawn.flatMap((what, n) => {
      const places = sizes.map((size, at) => ({ x: x(size), y: y(counts[n]?.[at] ?? 0) }));
      const points = places.map((place) => `${place.x.toFixed(1)},${place.y.toFixed(1)}`).join(" ");
      const stroke = colourAt(n);
      const end = places.at(-1)?.y ?? 0;
      const label = ends[n] ?? end;
      return [
        element("polyline", { points, fill: "none", stroke, "stroke-width": 2 }),
        ...places.map((place) =>
          element("circle", { cx: place.x, cy: place.y, r: 3, fill: stroke }),
        ),
        element("line", { x1: right + 4, y1: end, x2: right + 14, y2: label, stroke }),
        text(right + 18, label + 4, what),
      ];
    }),
  ];
}

/** The heights in their order, moved apart so that labels are legible. */
export function apart(heights: readonly number[]): number[] {
  const order = heights.map((_, n) => n).sort((a, b) => (heights[a] ?? 0) - (heights[b] ?? 0));
  const placed = [...heights];
  for (const [at, n] of order.entries()) {
    const above = placed[order[at - 1] ?? -1];
    if (above !== undefined) placed[n] = Math.max(placed[n] ?? 0, above + line);
  }
  // Labels below the axis are moved up again.
  for (const [at, n] of [...order].reverse().entries()) {
    const below = at === 0 ? lower + line : (placed[order[order.length - at] ?? -1] ?? lower);
    placed[n] = Math.min(placed[n] ?? 0, below - line);
  }
  return placed;
}
