import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseYaml, readYaml, writeYaml } from "../../core/kernel/input/yaml.ts";

/**
 * Enough of Helm to render our own chart: `if`, `if not`, `with`, `else`, `end`, values, `quote`,
 * `toYaml` and `nindent`. Throws for everything else, so the chart stays within it.
 */

export type Values = Record<string, unknown>;

// biome-ignore lint/suspicious/noExplicitAny: tests look into manifests of every shape.
export type Manifest = any;

const release = { Name: "slipway-hub-agent", Namespace: "slipway" };

/** The manifests of a chart, with these values over its own. */
export function renderChart(chart: string, values: Values, named = release): Manifest[] {
  const own = readValues(readFileSync(join(chart, "values.yaml"), "utf8"));
  const root = { Values: merged(own, values), Release: named };
  const templates = readdirSync(join(chart, "templates"));
  return templates.flatMap((name) => {
    const text = render(readFileSync(join(chart, "templates", name), "utf8"), root);
    const { documents, errors } = parseYaml(text);
    if (errors[0]) throw new Error(`${name}: line ${errors[0].line}: ${errors[0].message}`);
    return documents.map(({ value }): Manifest => value);
  });
}

/** A file of values. */
export function readValues(text: string): Values {
  const values = readYaml(text);
  if (!isMap(values)) throw new Error("there are no values in it");
  return values;
}

export function merged(own: Values, given: Values): Values {
  const entries = Object.entries(given).map(([name, value]) => {
    const before = own[name];
    return [name, isMap(before) && isMap(value) ? merged(before, value) : value];
  });
  return { ...own, ...Object.fromEntries(entries) };
}

const isMap = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface Block {
  isShown: boolean;
  dot: unknown;
}

function render(template: string, root: unknown): string {
  // `{{-` takes the space before it away.
  const parts = template.replaceAll(/\s*\{\{-/g, "{{").split(/\{\{\s*(.*?)\s*\}\}/);
  const open: Block[] = [];
  let text = "";
  for (const [n, part] of parts.entries()) {
    const isShown = open.every((block) => block.isShown);
    const dot = open.findLast((block) => block.dot !== undefined)?.dot;
    if (n % 2 === 0) text += isShown ? part : "";
    else if (/^(if|with) /.test(part)) open.push(opened(part, root, dot));
    else if (part === "else") flip(open.at(-1));
    else if (part === "end") close(open);
    else if (isShown) text += evaluate(part, root, dot);
  }
  if (open.length > 0) throw new Error("a block is not closed");
  return text;
}

function opened(part: string, root: unknown, dot: unknown): Block {
  const [word, ...rest] = part.split(/\s+/);
  const isNegated = rest[0] === "not";
  const value = valueAt(rest.at(-1) ?? "", root, dot);
  if (rest.length !== (isNegated ? 2 : 1)) throw new Error(`not understood: ${part}`);
  return { isShown: isTrue(value) !== isNegated, dot: word === "with" ? value : undefined };
}

function flip(block: Block | undefined): void {
  if (!block) throw new Error("an else without its if");
  block.isShown = !block.isShown;
}

function close(open: Block[]): void {
  if (!open.pop()) throw new Error("an end without its if");
}

function evaluate(part: string, root: unknown, dot: unknown): string {
  const [first = "", pipe, ...more] = part.split(/\s*\|\s*/);
  const [, yaml] = /^toYaml (\S+)$/.exec(first) ?? [];
  const [, indent] = /^nindent (\d+)$/.exec(pipe ?? "") ?? [];
  if (yaml !== undefined && indent !== undefined && more.length === 0) {
    const lines = writeYaml(valueAt(yaml, root, dot))
      .trimEnd()
      .split("\n");
    return lines.map((line) => `\n${" ".repeat(Number(indent))}${line}`).join("");
  }
  const value = valueAt(first, root, dot);
  const isScalar = ["string", "number", "boolean"].includes(typeof value);
  if (!isScalar || more.length > 0) throw new Error(`not understood: ${part}`);
  if (pipe === undefined) return String(value);
  if (pipe === "quote") return JSON.stringify(String(value));
  throw new Error(`not understood: ${part}`);
}

function valueAt(path: string, root: unknown, dot: unknown): unknown {
  if (path === ".") return dot;
  if (!/^(\.\w+)+$/.test(path)) throw new Error(`not understood: ${path}`);
  const value = path
    .slice(1)
    .split(".")
    .reduce<unknown>((at, name) => (isMap(at) ? at[name] : undefined), root);
  if (value === undefined) throw new Error(`there is no value ${path}`);
  return value;
}

/** As Go's templates see it. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isMap(value) ? Object.keys(value).length > 0 : Boolean(value);
}
