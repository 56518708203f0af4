import type { Json } from "./shape.ts";

/**
 * JSON without spaces, with members sorted by name (RFC 8785): equal values have one text, which can be
 * hashed. Written by hand: stored hashes depend on this text, so no update of a library may change it.
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .flatMap((name) => {
      const member = value[name];
      return member === undefined ? [] : [`${JSON.stringify(name)}:${canonicalJson(member)}`];
    });
  return `{${members.join(",")}}`;
}
