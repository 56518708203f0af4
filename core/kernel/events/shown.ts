import { isObject, type JsonObject } from "../input/shape.ts";
import { definitionOf, type Kinds } from "../object/kind.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import { publicPart } from "../object/public.ts";
import { changesBetween } from "./changes.ts";

/**
 * The paths at which two versions of an object differ in public answers. Computed from the record and
 * `KindDefinition.shown`, so that a write need not render answers.
 */
export const changedPaths = (
  kinds: Kinds,
  before: ObjectOf[Kind],
  after: ObjectOf[Kind],
): string[] =>
  changesBetween(shownOf(kinds, before), shownOf(kinds, after)).map(({ path }) => path);

function shownOf(kinds: Kinds, object: ObjectOf[Kind]): JsonObject {
  const { kind } = object;
  const { shown = stored } = definitionOf(kinds, kind);
  let whole: JsonObject = {};
  for (const [path, valueAt] of Object.entries(shown)) {
    // Records contain only JSON, which their types cannot express.
    const value = valueAt(object) as JsonObject[string] | undefined;
    if (value !== undefined) whole = placed(whole, path === "" ? [] : path.split("."), value);
  }
  const { metadata, generation } = object;
  const part: JsonObject = publicPart(kinds, kind, whole);
  return { metadata: { ...metadata, version: generation }, ...part };
}

const stored = {
  spec: ({ spec }: { spec: unknown }) => spec,
  status: ({ status }: { status: unknown }) => status,
};

/** The object with a value at a path; other members are kept, and missing ones added. */
function placed(
  object: JsonObject,
  [name, ...rest]: string[],
  value: JsonObject[string],
): JsonObject {
  if (name === undefined) return isObject(value) ? { ...object, ...value } : object;
  const member = object[name];
  if (rest.length === 0) return { ...object, [name]: value };
  return { ...object, [name]: placed(isObject(member) ? member : {}, rest, value) };
}
