import type { Json } from "./shape.ts";

/**
 * JSON without spaces, with members sorted by name (RFC 8785), so that equal values have equal texts and
 * hashes. Not from a library, because an update could change the text on which stored hashes depend.
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
