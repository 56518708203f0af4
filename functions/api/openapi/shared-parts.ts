import type { Description } from "./schemas.ts";

/** Equal parts of schemas, such as the specs of a kind in both areas. */

/** A part shorter than this, in characters of JSON, stays inline. */
const shortest = 200;

interface Use {
  /** The names from the component down to the part. */
  path: string[];
  /** The part itself, which is replaced by a reference. */
  part: Description;
}

/**
 * Makes each part that occurs more than once a component, the largest first, and refers to it. A description stays
 * where the part is used, since it says what the part is there.
 */
export function withSharedParts(
  components: Record<string, Description>,
): Record<string, Description> {
  // A copy in which no object occurs twice, as it could in a structured clone.
  const all: Record<string, Description> = JSON.parse(JSON.stringify(components));
  const uses = new Map<string, Use[]>();
  for (const [name, schema] of Object.entries(all))
    for (const use of partsOf(schema, [name])) {
      const { description: _, ...rest } = use.part;
      const content = JSON.stringify(rest);
      if (content.length < shortest) continue;
      uses.set(content, [...(uses.get(content) ?? []), use]);
    }
  const largestFirst = [...uses].sort(([a], [b]) => b.length - a.length);
  // The contents of replaced parts, which are described already.
  const replaced = new Set<Description>();
  for (const [, alike] of largestFirst) {
    const left = alike.filter(({ part }) => !replaced.has(part));
    const [first, ...others] = left;
    if (!first || others.length === 0) continue;
    const name = nameOf(left, all);
    const component = { description: descriptionOf(first), ...first.part };
    for (const { part } of others)
      for (const { part: inner } of partsOf(part, [])) replaced.add(inner);
    for (const { part } of left) {
      const { description } = part;
      for (const member of Object.keys(part)) Reflect.deleteProperty(part, member);
      Object.assign(part, { $ref: `#/components/schemas/${name}` }, description && { description });
    }
    all[name] = component;
  }
  return all;
}

/** The objects, lists and choices within a schema, without the schema itself. */
function* partsOf(schema: Description, path: string[]): Generator<Use> {
  for (const [name, part] of innerOf(schema)) {
    // An inner part without a name is named after the list, map or choice around it.
    const last = path.at(-1) ?? "";
    const inner = name.startsWith("_") ? [...path.slice(0, -1), last + name] : [...path, name];
    if (innerOf(part).length > 0) yield { path: inner, part };
    yield* partsOf(part, inner);
  }
}

function innerOf(schema: Description): [string, Description][] {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema as Parts;
  return [
    ...Object.entries(properties),
    ...(items ? [["_item", items] satisfies [string, Description]] : []),
    ...(typeof additionalProperties === "object"
      ? [["_value", additionalProperties] satisfies [string, Description]]
      : []),
    ...[...anyOf, ...oneOf].map((part): [string, Description] => ["_choice", part]),
  ];
}

interface Parts {
  properties?: Record<string, Description>;
  items?: Description;
  additionalProperties?: Description | boolean;
  anyOf?: Description[];
  oneOf?: Description[];
}

/** The description of the part, else a sentence that it belongs to the member around it. */
function descriptionOf({ path, part }: Use): string {
  if (typeof part.description === "string") return part.description;
  return `The value of \`${path.at(-1)?.replace(/(_item|_value|_choice)+$/, "")}\`.`;
}

/**
 * Names a shared part: after kind and member, such as `ClusterSpec`, where one or two kinds have it, else after the
 * member alone; parts of bodies alone end in `Input`. A name that is taken gets more of the path.
 */
function nameOf(alike: Use[], taken: Record<string, Description>): string {
  const owners = alike.map(({ path: [owner = ""] }) => owner);
  const ending = owners.every((owner) => body.test(owner)) ? "Input" : "";
  const shown = alike.map(({ path }) => path).sort((a, b) => a.length - b.length)[0] ?? [];
  const [owner = "", ...members] = shown;
  const kind = new Set(owners.map(kindIn)).size < 3 ? kindIn(owner) : "";
  const candidates = [
    ...members.map((_, at) => `${kind}${pascal(members.slice(-1 - at))}${ending}`),
    `${kindIn(owner)}${pascal(members)}${ending}`,
  ];
  const name = candidates.find((each) => !Object.hasOwn(taken, each));
  if (name === undefined) throw new Error(`no name is left for ${shown.join(".")}`);
  return name;
}

const body = /(?<=[a-z])(Input|Change|Batch)$/;
const kindIn = (owner: string): string => owner.replace(/^Private(?=[A-Z])/, "").replace(body, "");

const pascal = (names: string[]): string =>
  names
    .flatMap((name) => name.split("_"))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
