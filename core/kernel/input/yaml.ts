import {
  Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  Scalar,
  visit,
} from "yaml";
import { mapTag, seqTag } from "yaml/util";
import { AppError } from "../../error.ts";
import type { Issue } from "./field.ts";
import type { Json } from "./shape.ts";
import { scalars } from "./yaml-scalars.ts";

/**
 * The reader and writer of all YAML. Input is read as kubectl reads it, or refused with its line; output means
 * the same in YAML 1.1 and 1.2. The reader knows the position of each value in its text.
 */

export interface YamlPosition {
  /** The line, counted from 1 as in editors. */
  line: number;
  column: number;
}

export interface YamlDocument {
  value: Json;
  /** The position of a path; for a path that does not exist, of the nearest value around it. */
  at(path: PropertyKey[]): YamlPosition;
}

export interface YamlError extends YamlPosition {
  message: string;
}

const schema = {
  schema: "kubectl",
  customTags: [mapTag, seqTag, ...scalars],
  // A type that JSON does not have, such as !!timestamp.
  resolveKnownTags: false,
};

/** A violation at an offset of the text. */
interface Fault {
  offset: number;
  message: string;
}

/** The documents of a text that are not empty; none when the text is not YAML. */
export function parseYaml(text: string): { documents: YamlDocument[]; errors: YamlError[] } {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { ...schema, merge: true, lineCounter: lines });
  const all = Array.isArray(parsed) ? parsed : [];
  const faults = [...foreignCharacters(text), ...all.flatMap(faultsOf)];
  const errors = faults.map(({ offset, message }) => ({
    ...positionIn(lines, offset),
    message: firstLine(message),
  }));
  if (errors.length > 0) return { documents: [], errors };
  try {
    const documents = all.flatMap((document): YamlDocument[] => {
      const value: Json = document.toJS({ maxAliasCount: 100 });
      if (value === null) return [];
      return [{ value, at: (path) => positionIn(lines, offsetOf(document, path)) }];
    });
    return { documents, errors: [] };
  } catch (error) {
    // An alias of an unknown anchor, or aliases that would exhaust the memory.
    const message = error instanceof Error ? firstLine(error.message) : String(error);
    return { documents: [], errors: [{ line: 1, column: 1, message }] };
  }
}

/**
 * The value of a text with one document; null if it is empty. Throws Invalid with the line and none of the
 * text's values.
 */
export function readYaml(text: string): Json {
  const { documents, errors } = parseYaml(text);
  const [first, second] = documents;
  const fault = errors[0] ?? (second && { ...second.at([]), message: "expected one document" });
  if (fault) throw new AppError("Invalid", `line ${fault.line}: ${fault.message}`);
  return first?.value ?? null;
}

/** The start of a text that PyYAML reads as YAML 1.1; other YAML it reads as empty. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const unreadable = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

/**
 * The reason why PyYAML finds no mapping in a text; undefined if it finds a mapping or an empty document. For text that
 * is forwarded unchanged: PyYAML uses the last of two equal keys, and accepts numbers as keys.
 */
export function mappingFault(text: string): YamlError | undefined {
  const lines = new LineCounter();
  const options = { version: "1.1", uniqueKeys: false, merge: true, lineCounter: lines } as const;
  const parsed = parseAllDocuments(text, options);
  const all = Array.isArray(parsed) ? parsed : [];
  const faults = all.flatMap(faultsForPython);
  const character = unreadable.exec(text);
  if (character) {
    const code = character[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    faults.push({ offset: character.index, message: `the character U+${code} is not allowed` });
  }
  const [document, second] = all;
  if (second)
    faults.push({
      offset: rangeStart(second.contents) ?? second.range[0],
      message: "expected one document",
    });
  const contents = document?.contents;
  const isNothing = !contents || (isScalar(contents) && contents.value === null);
  if (!isNothing && !isMap(contents))
    faults.push({ offset: rangeStart(contents) ?? 0, message: "expected a mapping" });
  const [first] = faults;
  return first && { ...positionIn(lines, first.offset), message: firstLine(first.message) };
}

function faultsForPython(document: Document.Parsed): Fault[] {
  const warnings = document.warnings.filter(({ code }) => code === "TAG_RESOLVE_FAILED");
  const faults = [...document.errors, ...warnings].map(({ pos: [offset], message }) => ({
    offset,
    message,
  }));
  visit(document, {
    Pair(_, { key }) {
      if (isMap(key) || isSeq(key))
        faults.push({ offset: rangeStart(key) ?? 0, message: "a key must be text" });
    },
    Alias(_, alias) {
      if (alias.resolve(document) === undefined)
        faults.push({
          offset: rangeStart(alias) ?? 0,
          message: `the anchor '${alias.source}' is not known`,
        });
    },
  });
  return faults;
}

/** Writes values for every reader of YAML; texts for which `isQuoted` holds are in double quotes. */
export const yamlWriter =
  (isQuoted: (text: string) => boolean) =>
  (value: unknown): string => {
    const options = { ...schema, compat: "yaml-1.1", aliasDuplicateObjects: false } as const;
    const document = new Document(value, options);
    visit(document, {
      Scalar(_, scalar) {
        if (typeof scalar.value === "string" && isQuoted(scalar.value))
          scalar.type = Scalar.QUOTE_DOUBLE;
      },
    });
    return document.toString({ lineWidth: 0 });
  };

const write = yamlWriter(() => false);

/** The text of a value, for every reader of YAML. Text of one line stays on one line, however long. */
export const writeYaml = (value: unknown): string => write(value);

/** Characters that YAML allows nowhere, not even in comments. */
const control =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;
/** These end a line in YAML 1.1 and are text in YAML 1.2. */
const foreignBreak = /[\x85\u2028\u2029]/;

/** The first character of each sort that readers of YAML refuse, or read differently. */
function foreignCharacters(text: string): Fault[] {
  const rules = [
    [control, "a control character is not allowed here: write it as \\u001b in double quotes"],
    [
      foreignBreak,
      "a Unicode line separator is not allowed here: write it as \\u2028 in double quotes",
    ],
  ] as const;
  return rules.flatMap(([characters, message]) => {
    const offset = text.search(characters);
    return offset < 0 ? [] : [{ offset, message }];
  });
}

function faultsOf(document: Document.Parsed): Fault[] {
  // The parser only warns about an unknown tag, although it has to guess the value.
  const faults = [...document.errors, ...document.warnings].map(({ pos: [offset], message }) => ({
    offset,
    message,
  }));
  visit(document, {
    Pair(_, { key }) {
      const message = faultOfKey(key);
      if (message !== undefined) faults.push({ offset: rangeStart(key) ?? 0, message });
    },
    Alias(_, alias, path) {
      const source = alias.resolve(document);
      if (source !== undefined && path.some((around) => around === source))
        faults.push({ offset: rangeStart(alias) ?? 0, message: "an anchor cannot contain itself" });
    },
  });
  return faults;
}

/** JSON's keys are text. kubectl would read the key `on` as `true`, which nobody intends. */
function faultOfKey(key: unknown): string | undefined {
  if (!isScalar(key) || key.value === null) return "a key must be text";
  const { value, source } = key;
  if (typeof value !== "boolean" && typeof value !== "number") return undefined;
  return String(value) === source
    ? undefined
    : `YAML 1.1 reads this key as ${value}: put it in quotes`;
}

/** The parser's message ends its first line with the position, which is reported separately. */
const firstLine = (message: string): string =>
  (message.split("\n")[0] ?? "").replace(/ at line \d+.*$/, "");

function positionIn(lines: LineCounter, offset: number): YamlPosition {
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
