/** Elements of SVG drawings, as text. Colours follow the reader's theme, light or dark. */

/** Colours that most people can distinguish, on white and on black. */
const colours = [
  ...["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"],
  ...["#8c8c8c", "#a6761d", "#7570b3"],
];

export const colourAt = (n: number): string => colours[n % colours.length] ?? "#8c8c8c";

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

type Attributes = Record<string, string | number>;

const said = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${typeof value === "number" ? rounded(value) : value}"`)
    .join("");

const rounded = (value: number): number => Math.round(10 * value) / 10;

/** An element, empty or with text. */
export const element = (name: string, attributes: Attributes, text?: string): string =>
  text === undefined
    ? `<${name}${said(attributes)}/>`
    : `<${name}${said(attributes)}>${escaped(text)}</${name}>`;

export const text = (x: number, y: number, words: string, more: Attributes = {}): string =>
  element("text", { x, y, ...more }, words);

/** A drawing with a title for screen readers. */
export const drawing = (
  { width, height, title }: { width: number; height: number; title: string },
  parts: readonly string[],
): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    element("title", {}, title),
    `<style>${style}</style>`,
    element("rect", { class: "paper", width, height }),
    ...parts,
    "</svg>\n",
  ].join("\n");

const style = [
  "text{font:12px system-ui,sans-serif;fill:#24292f}",
  ".quiet{fill:#57606a}",
  ".head{font-weight:600;font-size:13px}",
  ".end{text-anchor:end}",
  ".middle{text-anchor:middle}",
  ".grid{stroke:#d0d7de;stroke-width:1}",
  ".paper{fill:#fff}",
  "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.quiet{fill:#9198a1}.grid{stroke:#3d444d}.paper{fill:#0d1117}}",
].join("");
