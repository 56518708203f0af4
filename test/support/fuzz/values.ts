import * as fc from "fast-check";
import { isObject, type Json } from "../../../core/kernel/input/shape.ts";
import { resolved, type Schema } from "./document.ts";

/** Values that a schema allows, and values that are near one. */

/** By the name of a member, what the world has for it. */
export type Known = Record<string, Json[]>;

export function valid(schema: Schema, known: Known): fc.Arbitrary<Json> {
  const whole = resolved(schema);
  const { anyOf, oneOf, type } = whole;
  const choices = anyOf ?? oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => valid(choice, known)));
  if (whole.const !== undefined) return fc.constant(whole.const);
  if (whole.enum) return fc.constantFrom(...whole.enum);
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => valid({ type: one }, known)));
  switch (type) {
    case "string":
      return text(whole);
    case "integer":
      return fc.integer(bounds(whole));
    case "number":
      return fc.double({ ...bounds(whole), noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(valid(whole.items ?? {}, known), {
        minLength: whole.minItems ?? 0,
        maxLength: Math.min(whole.maxItems ?? 3, (whole.minItems ?? 0) + 3),
      });
    case "object":
      return object(whole, known);
    case undefined:
      return json;
  }
}

function text({ pattern, format, minLength = 0, maxLength = 64 }: Schema): fc.Arbitrary<string> {
  if (format === "date-time")
    return fc.constantFrom("2026-01-01T00:00:00Z", "2020-02-29T23:59:59.999Z");
  if (format === "uri")
    return fc.constantFrom("https://one.example.com", "https://two.example.com:8443/a");
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { size: "-1" });
  return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 64), unit: "grapheme" });
}

/** Near to zero, mostly: what is larger is refused for other reasons. */
function bounds({ minimum, exclusiveMinimum, maximum = 1000 }: Schema) {
  const min = minimum ?? (exclusiveMinimum === undefined ? -1000 : exclusiveMinimum + 1);
  return { min, max: Math.max(min, Math.min(maximum, min + 2000)) };
}

function object(schema: Schema, known: Known): fc.Arbitrary<Json> {
  const { properties, additionalProperties, propertyNames, required = [] } = schema;
  if (properties) {
    const members = Object.entries(properties).map(([name, member]) => {
      const here = known[name];
      const generated = valid(member, known);
      return [name, here ? fc.oneof(fc.constantFrom(...here), generated) : generated] as const;
    });
    return fc.record(Object.fromEntries(members), {
      requiredKeys: required,
      noNullPrototype: true,
    });
  }
  const names = propertyNames ? valid({ type: "string", ...propertyNames }, known) : fc.string();
  const values = typeof additionalProperties === "object" ? additionalProperties : {};
  return fc.dictionary(names.map(String), valid(values, known), {
    maxKeys: 3,
    noNullPrototype: true,
  });
}

const json = fc.json({ maxDepth: 2 }).map((written): Json => JSON.parse(written));

/** What no schema of ours hopes for. */
export const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>(
    ...[null, "", "x", 0, -1, 1.5, 1e308, -0, 2 ** 53, true, [], {}, [null], [[]], "***"],
    ...["a".repeat(3000), "\u0000", "\ud800", "e\u0301", "\u202eabc", "__proto__", "constructor"],
    ...["10.0.0.0/8", "https://169.254.169.254/", "-1", "1e3", "true", "2026-01-01T00:00:00Z"],
    { id: "x", name: "y" },
    { id: null },
    { toString: 1 },
  ),
  json,
  fc.string({ unit: "binary" }),
);

interface Edit {
  /** Which of all places. */
  at: number;
  how: "replace" | "remove" | "add";
  name: string;
  value: Json;
}

const edits = fc.array(
  fc.record<Edit>({
    at: fc.nat(1000),
    how: fc.constantFrom("replace", "replace", "remove", "add"),
    name: fc.oneof(fc.constantFrom("__proto__", "constructor", "id", "", "a.b"), fc.string()),
    value: odd,
  }),
  { minLength: 1, maxLength: 3 },
);

/** The same with a few places of it changed. */
export const edited = (values: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.tuple(values, edits).map(([value, list]) => list.reduce(withEdit, value));

function withEdit(value: Json, edit: Edit): Json {
  const places = placesIn(value);
  const path = places[edit.at % places.length] ?? [];
  return changed(value, path, edit);
}

function placesIn(value: Json, path: string[] = []): string[][] {
  const below = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [path, ...below.flatMap(([name, child]) => placesIn(child, [...path, name]))];
}

function changed(value: Json, [first, ...rest]: string[], edit: Edit): Json {
  if (first === undefined) {
    if (edit.how !== "add" || !isObject(value)) return edit.value;
    return Object.fromEntries([...Object.entries(value), [edit.name, edit.value]]);
  }
  const entries = Object.entries(value as object).flatMap(([name, child]): [string, Json][] => {
    if (name !== first) return [[name, child]];
    if (rest.length === 0 && edit.how === "remove") return [];
    return [[name, changed(child, rest, edit)]];
  });
  return Array.isArray(value) ? entries.map(([, child]) => child) : Object.fromEntries(entries);
}
