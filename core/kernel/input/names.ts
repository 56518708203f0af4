import type * as z from "zod";
import { isObject, type Json, schemaShapeOf } from "./shape.ts";

/**
 * A body with the names of the schema: protobuf's JSON also allows lowerCamelCase, numbers for enums, and
 * numbers as text. Keys of maps (labels, node sets) are the user's own and are kept. In a change `null` clears
 * a member; within lists and maps, which are replaced as a whole, it counts as absent.
 */
export function canonical(schema: z.core.$ZodType, value: Json): Json {
  return inNames(schema, value, false);
}

function inNames(schema: z.core.$ZodType, value: Json, isReplaced: boolean): Json {
  const shape = schemaShapeOf(schema);
  if (shape.is === "enum") return typeof value === "number" ? enumName(shape.names, value) : value;
  if (shape.is === "number") return typeof value === "string" ? numberIn(value) : value;
  if (shape.is === "list" && Array.isArray(value))
    return value.map((item) => inNames(shape.item, item, true));
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  if (shape.is === "map")
    return Object.fromEntries(
      entries.map(([key, item]) => [key, inNames(shape.value, item, true)]),
    );
  if (shape.is !== "object") return value;
  const { members } = shape;
  return Object.fromEntries(
    entries.flatMap(([given, item]): [string, Json][] => {
      const name = memberName(members, value, given);
      const member = Object.hasOwn(members, name) ? members[name] : undefined;
      if (!member) return [[name, item]];
      const named = inNames(member, item, isReplaced);
      return isReplaced && named === null ? [] : [[name, named]];
    }),
  );
}

/**
 * Translates a path such as `spec.nodeSets.gpu.size` into the schema's names; undefined if no such
 * member exists.
 */
export function canonicalPath(schema: z.core.$ZodType, path: string): string[] | undefined {
  const names: string[] = [];
  let at: z.core.$ZodType | undefined = schema;
  for (const given of path.split(".")) {
    if (at === undefined || given === "") return undefined;
    const shape = schemaShapeOf(at);
    if (shape.is === "map") {
      names.push(given);
      at = shape.value;
    } else if (shape.is === "object") {
      const name = Object.hasOwn(shape.members, given) ? given : snake(given);
      if (!Object.hasOwn(shape.members, name)) return undefined;
      names.push(name);
      at = shape.members[name];
    } else {
      return undefined;
    }
  }
  return names;
}

/** The schema's name of a member. If a member is given in both spellings, the second counts as unknown. */
function memberName(members: Record<string, unknown>, value: object, given: string): string {
  if (Object.hasOwn(members, given)) return given;
  const name = snake(given);
  return Object.hasOwn(members, name) && !Object.hasOwn(value, name) ? name : given;
}

const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Text that is not a number is kept, so that the schema refuses it. */
const numberIn = (text: string): Json =>
  /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : text;

/**
 * OSAC's enums count from 1 in the order of their names; 0 is unspecified, which counts as absent.
 */
function enumName(names: string[], number: number): Json {
  const numbered = names.every((name) => /^[A-Z][A-Z0-9_]*_[A-Z0-9_]+$/.test(name));
  if (!numbered) return number;
  return number === 0 ? null : (names[number - 1] ?? number);
}
