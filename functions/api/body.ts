import { AppError } from "../../core/error.ts";
import { isObject, type JsonObject } from "../../core/input/shape.ts";

/** The largest body that is read, in bytes. */
export const bodyLimit = 1024 * 1024;
/** Deeper than anything we take; a parser of ours may go as deep. */
const depthLimit = 64;
/** Members and items; more than anything we take has. An answer names every one that is wrong. */
const memberLimit = 10_000;
const nameLimit = 1024;

/** The JSON object of a body; `{}` for an empty one. Throws Invalid, never quoting the body. */
export function parseBody(text: string): JsonObject {
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

/** What JSON.parse lets pass: a member given twice, text that no store holds, far too much. */
function faultIn(json: string): string | undefined {
  const open: Set<string>[] = [];
  let commas = 0;
  for (const match of json.matchAll(/[{}[\],]|("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g)) {
    const [token, quoted, colon] = match;
    if (token === "," && ++commas >= memberLimit) return `has more than ${memberLimit} members`;
    if (token === "{" || token === "[") open.push(new Set());
    if (token === "}" || token === "]") open.pop();
    if (quoted === undefined) continue;
    const text: string = JSON.parse(quoted);
    if (!text.isWellFormed()) return `has text that is not Unicode at position ${match.index}`;
    if (colon === undefined) continue;
    if (text.length > nameLimit)
      return `has a name longer than ${nameLimit} at position ${match.index}`;
    const names = open.at(-1);
    if (names?.has(text)) return `gives a member a second time at position ${match.index}`;
    names?.add(text);
  }
  return undefined;
}

const malformed = (message: string): AppError =>
  new AppError("Invalid", `the body ${message}`, { violations: [{ field: "", message }] });
