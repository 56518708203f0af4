import { isObject, type JsonObject, sameJson } from "./paths.ts";
import { badRequest, unprocessablePatch } from "./status.ts";

/** RFC 7386: null removes, objects merge, everything else replaces. Neither argument is changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: JsonObject = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

interface Operation {
  op: string;
  path: string[];
  from: string[];
  value: unknown;
}

/**
 * RFC 6902, all operations or none. An invalid patch is refused with 400; a failed test or a missing path with the real
 * server's 422, which does not distinguish them.
 */
export function jsonPatch(target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw badRequest("error decoding patch: a JSON patch is a list");
  const document = { root: structuredClone(target) };
  for (const operation of patch.map(parseOperation)) applyOperation(document, operation);
  return document.root;
}

function parseOperation(operation: unknown): Operation {
  if (!isObject(operation) || typeof operation.op !== "string") {
    throw badRequest("error decoding patch: an operation needs an op");
  }
  return {
    op: operation.op,
    path: parsePointer(operation.path),
    from: operation.op === "move" || operation.op === "copy" ? parsePointer(operation.from) : [],
    value: operation.value,
  };
}

function parsePointer(pointer: unknown): string[] {
  if (typeof pointer !== "string" || (pointer !== "" && !pointer.startsWith("/"))) {
    throw badRequest("error decoding patch: a path starts with /");
  }
  const steps = pointer.split("/").slice(1);
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The document is the member `root` of a holder, so that it has a parent like any other value. */
type Holder = { root: unknown };

function applyOperation(document: Holder, { op, path, from, value }: Operation): void {
  const at = ["root", ...path];
  const source = ["root", ...from];
  switch (op) {
    case "test":
      if (!sameJson(read(document, at), value)) throw unprocessablePatch();
      break;
    case "add":
      add(document, at, structuredClone(value));
      break;
    case "replace":
      read(document, at);
      write(document, at, structuredClone(value));
      break;
    case "remove":
      remove(document, at);
      break;
    case "copy":
      add(document, at, structuredClone(read(document, source)));
      break;
    case "move": {
      const isInside = from.length < path.length && from.every((step, i) => step === path[i]);
      if (isInside) throw unprocessablePatch();
      const moved = read(document, source);
      remove(document, source);
      add(document, at, moved);
      break;
    }
    default:
      throw unprocessablePatch();
  }
}

function read(document: Holder, path: string[]): unknown {
  let at: unknown = document;
  for (const step of path) {
    if (Array.isArray(at)) at = at[indexIn(step, at.length - 1)];
    else if (isObject(at) && Object.hasOwn(at, step)) at = at[step];
    else throw unprocessablePatch();
  }
  return at;
}

function write(document: Holder, path: string[], value: unknown): void {
  const { parent, last } = parentOf(document, path);
  if (Array.isArray(parent)) parent[indexIn(last, parent.length - 1)] = value;
  else parent[last] = value;
}

function add(document: Holder, path: string[], value: unknown): void {
  const { parent, last } = parentOf(document, path);
  if (!Array.isArray(parent)) parent[last] = value;
  else if (last === "-") parent.push(value);
  else parent.splice(indexIn(last, parent.length), 0, value);
}

function remove(document: Holder, path: string[]): void {
  read(document, path);
  const { parent, last } = parentOf(document, path);
  if (Array.isArray(parent)) parent.splice(indexIn(last, parent.length - 1), 1);
  else delete parent[last];
}

function parentOf(
  document: Holder,
  path: string[],
): { parent: JsonObject | unknown[]; last: string } {
  const parent = path.length === 1 ? document : read(document, path.slice(0, -1));
  if (!Array.isArray(parent) && !isObject(parent)) throw unprocessablePatch();
  return { parent, last: path.at(-1) ?? "" };
}

function indexIn(step: string, greatest: number): number {
  const index = /^(0|[1-9]\d*)$/.test(step) ? Number(step) : Number.NaN;
  if (!(index <= greatest)) throw unprocessablePatch();
  return index;
}
