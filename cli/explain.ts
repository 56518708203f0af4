import { dashed } from "./api/commands.ts";
import type { CliCall } from "./call.ts";
import { wrongCall } from "./exit.ts";
import { wrappedText } from "./output/table.ts";

/** `slipway explain cluster.spec.node_sets`: the meaning of a member, from the API's document. */

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: string[];
  const?: string | number | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
}

type Schemas = Record<string, Schema>;

const indent = 4;

export async function explain({ around, words: [path = ""] }: CliCall): Promise<undefined> {
  const { default: document } = await import("../functions/api/generated/openapi.json", {
    with: { type: "json" },
  });
  // The compiler infers another type for each schema of the document.
  const schemas = document.components.schemas as unknown as Schemas;
  const [kind = "", ...names] = path.split(".");
  const name = kind.replaceAll(/(^|[-_])([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
  const root = schemas[`Private${name}`] ?? schemas[name];
  if (!root) throw wrongCall(`unknown kind '${kind}'`, `kinds are: ${kindsIn(schemas).join(", ")}`);
  let schema = root;
  let place = kind;
  for (const each of names) {
    const members = membersOf(schemas, schema);
    const next = members?.[each] ?? anyMember(schemas, schema);
    if (!next) {
      const known = Object.keys(members ?? {});
      throw wrongCall(
        `${place} has no member '${each}'`,
        known.length > 0 ? `it has: ${known.join(", ")}` : `it is a ${typeOf(schemas, schema)}`,
      );
    }
    schema = next;
    place = `${place}.${each}`;
  }
  const { out } = around;
  const say = (text: string, columns: number) => {
    for (const line of wrappedText(text, Math.max(20, out.columns - columns)))
      out.write(`${" ".repeat(columns)}${line}\n`);
  };
  out.write(`${place}  ${typeOf(schemas, schema)}\n`);
  const { description } = schema;
  if (description) say(description, 0);
  const each = anyMember(schemas, schema);
  const members = Object.entries(membersOf(schemas, each ?? schema) ?? {});
  for (const [member, inner] of members) {
    out.write(`\n  ${each ? "<name>." : ""}${member}  ${typeOf(schemas, inner)}\n`);
    say(inner.description ?? resolved(schemas, inner).description ?? "", indent);
  }
  return undefined;
}

const resolved = (schemas: Schemas, schema: Schema): Schema =>
  schema.$ref ? (schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema;

/** The members of an object, of a list's items, or of all alternatives. */
function membersOf(schemas: Schemas, schema: Schema): Record<string, Schema> | undefined {
  const { properties, items, anyOf, oneOf } = resolved(schemas, schema);
  if (properties) return properties;
  if (items) return membersOf(schemas, items);
  const choices = (anyOf ?? oneOf ?? []).flatMap((each) => membersOf(schemas, each) ?? []);
  return choices.length > 0 ? Object.assign({}, ...choices) : undefined;
}

/** The schema of a map's values. */
function anyMember(schemas: Schemas, schema: Schema): Schema | undefined {
  const { additionalProperties } = resolved(schemas, schema);
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

function typeOf(schemas: Schemas, schema: Schema): string {
  const {
    type,
    enum: values,
    const: only,
    items,
    anyOf,
    oneOf,
    additionalProperties,
  } = resolved(schemas, schema);
  if (schema.$ref?.endsWith("/Reference")) return "reference";
  if (values) return values.join(" | ");
  if (only !== undefined) return String(only);
  if (items) return `list of ${typeOf(schemas, items)}`;
  const choices = anyOf ?? oneOf;
  if (choices) return choices.map((each) => typeOf(schemas, each)).join(" or ");
  if (typeof additionalProperties === "object")
    return `map of ${typeOf(schemas, additionalProperties)}`;
  return type === undefined ? "any value" : [type].flat().join(" or ");
}

/** The kinds that have lists, as people write them. */
const kindsIn = (schemas: Schemas): string[] =>
  Object.keys(schemas).flatMap((name) => {
    const [, kind] = /^(?!Private)([A-Za-z]+)List$/.exec(name) ?? [];
    if (kind === undefined) return [];
    return dashed(kind.replaceAll(/(?<!^)([A-Z])/g, "_$1").toLowerCase());
  });
