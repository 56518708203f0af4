import { isObject, type JsonObject } from "../input/shape.ts";
import { definitionOf, type Kinds } from "./kind.ts";
import type { Kind } from "./object.ts";

/** An object on the wire without its private members. */
export function publicPart(kinds: Kinds, kind: Kind, wire: JsonObject): JsonObject {
  const { privateMembers = [] } = definitionOf(kinds, kind);
  return privateMembers.reduce((rest, path) => objectWithout(rest, path.split(".")), wire);
}

function objectWithout(object: JsonObject, [name = "", ...rest]: string[]): JsonObject {
  if (!Object.hasOwn(object, name)) return object;
  const { [name]: member, ...others } = object;
  if (rest.length === 0) return others;
  if (Array.isArray(member) && rest[0] === "*") {
    const items = member.map((each) =>
      isObject(each) ? objectWithout(each, rest.slice(1)) : each,
    );
    return { ...object, [name]: items };
  }
  return isObject(member) ? { ...object, [name]: objectWithout(member, rest) } : others;
}
