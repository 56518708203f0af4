import { type Document, isMap, isSeq, LineCounter, parseAllDocuments } from "yaml";
import type { Issue } from "./field.ts";
import type { Json } from "./shape.ts";

/** YAML that knows the position of each value in its text. */

export interface Position {
  /** The line, counted from 1 like in editors. */
  line: number;
  column: number;
}

export interface YamlDocument {
  value: Json;
  /** The position of a path; if the path does not exist, the nearest value around it. */
  at(path: PropertyKey[]): Position;
}

export interface YamlError extends Position {
  message: string;
}

/** The documents of a text that are not empty; none when the text is not YAML. */
export function parseYaml(text: string): { documents: YamlDocument[]; errors: YamlError[] } {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines });
  const all = Array.isArray(parsed) ? parsed : [];
  // The parser only warns of an unknown tag, but its value would be a guess.
  const errors = all
    .flatMap(({ errors, warnings }) => [...errors, ...warnings])
    .map(({ pos, message }) => ({ ...positionIn(lines, pos[0]), message: firstLine(message) }));
  if (errors.length > 0) return { documents: [], errors };
  try {
    const documents = all.flatMap((document): YamlDocument[] => {
      const value: Json = document.toJS({ maxAliasCount: 100 });
      if (value === null) return [];
      return [{ value, at: (path) => positionIn(lines, offsetOf(document, path)) }];
    });
    return { documents, errors: [] };
  } catch (error) {
    // An alias of an unknown anchor, or aliases that would fill the memory.
    const message = error instanceof Error ? firstLine(error.message) : String(error);
    return { documents: [], errors: [{ line: 1, column: 1, message }] };
  }
}

/** The parser ends its first line with the position, which we report in our own form. */
const firstLine = (message: string): string =>
  (message.split("\n")[0] ?? "").replace(/ at line \d+.*$/, "");

function positionIn(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function offsetOf(document: Document, path: Issue["path"]): number {
  let node: unknown = document.contents;
  let at = rangeStart(node) ?? 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(key) === String(step));
      at = rangeStart(pair?.key) ?? at;
      node = pair?.value;
    } else if (isSeq(node) && typeof step === "number") {
      node = node.items[step];
      at = rangeStart(node) ?? at;
    } else {
      break;
    }
  }
  return at;
}

function rangeStart(node: unknown): number | undefined {
  const range =
    typeof node === "object" && node !== null && "range" in node ? node.range : undefined;
  return Array.isArray(range) && typeof range[0] === "number" ? range[0] : undefined;
}
