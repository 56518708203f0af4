import type { Issue } from "../../../kernel/input/field.ts";
import { isObject } from "../../../kernel/input/shape.ts";
import type { Json } from "../../../kernel/store/store.ts";
import type { Parameter } from "../parameter.ts";

/**
 * How parameters enter a tree: as whole values, never as text, so that no value can become
 * structure.
 *
 * - `{$parameter: name}` is the value, of the parameter's type. A parameter without a value leaves
 *   the member, or the item of a list, out.
 * - `{$json: tree}` is the tree, placeholders and all, as one string of JSON: for members that hold
 *   a document as text, such as the `config.yaml` of a ConfigMap (JSON is YAML).
 */

const markers = ["$parameter", "$json"] as const;

export type Values = Record<string, Json>;

/** The tree with values in place of placeholders; undefined if the tree itself is a placeholder without a value. */
export function rendered(tree: Json, values: Values): Json | undefined {
  if (Array.isArray(tree)) {
    return tree.map((item) => rendered(item, values)).filter((item) => item !== undefined);
  }
  if (!isObject(tree)) return tree;
  if (typeof tree.$parameter === "string") {
    return Object.hasOwn(values, tree.$parameter) ? values[tree.$parameter] : undefined;
  }
  if (tree.$json !== undefined) return JSON.stringify(rendered(tree.$json, values) ?? null);
  return Object.fromEntries(
    Object.entries(tree).flatMap(([name, child]): [string, Json][] => {
      const value = rendered(child, values);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

export const isPlaceholder = (tree: Json | undefined): boolean =>
  isObject(tree) && markers.some((marker) => Object.hasOwn(tree, marker));

/** Faults of placeholders that are malformed or that name no parameter of the template. */
export function placeholderIssues(tree: Json, parameters: Parameter[]): Issue[] {
  if (!isObject(tree)) {
    if (!Array.isArray(tree)) return [];
    return tree.flatMap((item, n) => under(n, placeholderIssues(item, parameters)));
  }
  const names = Object.keys(tree);
  const marker = markers.find((each) => names.includes(each));
  if (marker === undefined) {
    return Object.entries(tree).flatMap(([name, child]) =>
      under(name, placeholderIssues(child, parameters)),
    );
  }
  if (names.length > 1) {
    const others = names.filter((name) => name !== marker).map((name) => `'${name}'`);
    return [
      { path: [marker], message: `must be the whole value, but beside it is ${others.join(", ")}` },
    ];
  }
  const inner = tree[marker] ?? null;
  if (marker === "$json") return under("$json", placeholderIssues(inner, parameters));
  const known = parameters.filter(({ type }) => type !== "json").map(({ name }) => name);
  if (typeof inner === "string" && known.includes(inner)) return [];
  const has =
    known.length > 0 ? `it has ${known.map((name) => `'${name}'`).join(", ")}` : "it has none";
  return [
    {
      path: [marker],
      message: `${JSON.stringify(inner)} is not a parameter of the template with a single value: ${has}`,
    },
  ];
}

/** The names of the parameters that a tree uses. */
export function parametersIn(tree: Json): string[] {
  if (Array.isArray(tree)) return tree.flatMap(parametersIn);
  if (!isObject(tree)) return [];
  if (typeof tree.$parameter === "string") return [tree.$parameter];
  return Object.values(tree).flatMap(parametersIn);
}

export const under = (step: PropertyKey, issues: Issue[]): Issue[] =>
  issues.map(({ path, message, beside }) => ({
    ...{ path: [step, ...path], message },
    ...(beside && { beside: beside.map((other) => [step, ...other]) }),
  }));
