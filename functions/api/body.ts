import type { HonoRequest } from "hono";
import { AppError, type Violation } from "../../core/error.ts";
import { fieldOf } from "../../core/kernel/input/field.ts";
import { refuseViolations } from "../../core/kernel/input/parse.ts";
import { isObject, type Json, type JsonObject } from "../../core/kernel/input/shape.ts";

/** The largest accepted body, in bytes. */
export const bodyLimit = 1024 * 1024;
/** The deepest accepted nesting. Every known body is flatter, and our own parsers recurse. */
const depthLimit = 64;
/**
 * The largest number of members and items in all; every known body has fewer. An answer names each wrong one, so
 * the number needs a limit.
 */
const memberLimit = 10_000;
const nameLimit = 1024;

/**
 * The JSON object of a request's body; `{}` for an empty one. A body of another media type is
 * refused, except a form, which is how `curl -d` labels JSON. Throws Invalid, never quoting the
 * body.
 */
export function readBody(request: HonoRequest): Promise<JsonObject> {
  const known = read.get(request) ?? readOnce(request);
  read.set(request, known);
  return known;
}

/** The body is read once, for the prefetch and for the answer. */
const read = new WeakMap<HonoRequest, Promise<JsonObject>>();

async function readOnce(request: HonoRequest): Promise<JsonObject> {
  const encoding = request.header("Content-Encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity")
    throw misdeclared("Content-Encoding", "must be left out: the body must not be compressed");
  if (!isJson(request.header("Content-Type") ?? ""))
    throw misdeclared("Content-Type", "must be application/json, in UTF-8");
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > bodyLimit) throw malformed(`is larger than ${bodyLimit} bytes`);
  return parseBody(textOf(bytes));
}

const mediaTypes =
  /^(application\/([\w.-]+\+)?json|text\/(plain|json)|application\/x-www-form-urlencoded)?$/i;

function isJson(contentType: string): boolean {
  if (contentType.length > 256) return false;
  const [type = "", ...parameters] = contentType.split(";").map((part) => part.trim());
  const isUtf8 = (part: string) => !/^charset=/i.test(part) || /^charset="?utf-8"?$/i.test(part);
  return mediaTypes.test(type) && parameters.every(isUtf8);
}

function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw malformed("is not UTF-8");
  }
}

function parseBody(text: string): JsonObject {
  if (text.trim() === "") return {};
  if (depthOf(text) > depthLimit) throw malformed(`is nested deeper than ${depthLimit}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1];
    throw malformed(position === undefined ? "is not JSON" : `is not JSON at position ${position}`);
  }
  if (!isObject(value)) throw malformed("must be a JSON object");
  const fault = faultIn(text);
  if (fault !== undefined) throw malformed(fault);
  refuseViolations(violationsIn(value));
  return value;
}

function depthOf(text: string): number {
  let [depth, deepest, inString] = [0, 0, false];
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === "\\") i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") deepest = Math.max(deepest, ++depth);
    else if (char === "}" || char === "]") depth--;
  }
  return deepest;
}

/** Faults that JSON.parse accepts: a duplicate member, a name that is not Unicode text, too many members. */
function faultIn(json: string): string | undefined {
  const open: Set<string>[] = [];
  let commas = 0;
  for (const match of json.matchAll(/[{}[\],]|("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g)) {
    const [token, quoted, colon] = match;
    if (token === "," && ++commas >= memberLimit) return `has more than ${memberLimit} members`;
    if (token === "{" || token === "[") open.push(new Set());
    if (token === "}" || token === "]") open.pop();
    if (quoted === undefined || colon === undefined) continue;
    const name: string = JSON.parse(quoted);
    const at = `at position ${match.index}`;
    if (!isText(name)) return `has a name that is not text ${at}`;
    if (name.length > nameLimit) return `has a name longer than ${nameLimit} ${at}`;
    const names = open.at(-1);
    if (names?.has(name)) return `gives a member a second time ${at}`;
    names?.add(name);
  }
  return undefined;
}

/** Whether a text is accepted by every store and outside system. */
const isText = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

/** Values and names that no member may have. */
function violationsIn(value: Json, path: PropertyKey[] = []): Violation[] {
  if (typeof value === "string")
    return isText(value)
      ? []
      : [{ field: fieldOf(path), message: "must be Unicode text without NUL" }];
  if (Array.isArray(value)) return value.flatMap((item, n) => violationsIn(item, [...path, n]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const here = [...path, name];
    if (name === "__proto__") return [{ field: fieldOf(here), message: "is not a known field" }];
    return violationsIn(member, here);
  });
}

export const malformed = (message: string): AppError =>
  new AppError("Invalid", `the body ${message}`, { violations: [{ field: "", message }] });

const misdeclared = (field: string, message: string): AppError =>
  new AppError("Invalid", `${field} ${message}`, { violations: [{ field, message }] });
