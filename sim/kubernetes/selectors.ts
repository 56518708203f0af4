import type { KubeObject, ResourceKind } from "./object.ts";
import { valueAt } from "./paths.ts";
import { badRequest } from "./status.ts";

export type Selector = (object: KubeObject) => boolean;

type Labels = Record<string, string>;

const everything: Selector = () => true;

/**
 * Parses a label selector: `a=b`, `a==b`, `a!=b`, `a in (b,c)`, `a notin (b)`, `a`, `!a`, joined by
 * commas. As in Kubernetes, `!=` and `notin` also select objects without the label.
 */
export function labelSelector(text: string | undefined): Selector {
  if (!text?.trim()) return everything;
  const requirements = splitOutsideParentheses(text).map(labelRequirement);
  return (object) => {
    const labels = object.metadata.labels ?? {};
    return requirements.every((holds) => holds(labels));
  };
}

const labelKey = `([A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?)`;
const labelValue = `([A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?`;
const setRequirement = new RegExp(String.raw`^${labelKey}\s+(in|notin)\s*\(([^()]*)\)$`);
const equalityRequirement = new RegExp(String.raw`^${labelKey}\s*(==|=|!=)\s*${labelValue}$`);
const existsRequirement = new RegExp(String.raw`^(!?)\s*${labelKey}$`);

function labelRequirement(text: string): (labels: Labels) => boolean {
  const set = setRequirement.exec(text);
  if (set) {
    const [, key = "", operator, list = ""] = set;
    const values = new Set(list.split(",").map((value) => value.trim()));
    const isIn = (labels: Labels) => Object.hasOwn(labels, key) && values.has(labels[key] ?? "");
    return operator === "in" ? isIn : (labels) => !isIn(labels);
  }
  const equality = equalityRequirement.exec(text);
  if (equality) {
    const [, key = "", operator, value = ""] = equality;
    const equals = (labels: Labels) => Object.hasOwn(labels, key) && labels[key] === value;
    return operator === "!=" ? (labels) => !equals(labels) : equals;
  }
  const exists = existsRequirement.exec(text);
  if (exists) {
    const [, not, key = ""] = exists;
    return (labels) => Object.hasOwn(labels, key) !== (not === "!");
  }
  throw badRequest(`unable to parse requirement: invalid label selector: "${text}"`);
}

/**
 * Parses a field selector (`=`, `==`, `!=`). Only `metadata.name`, `metadata.namespace` and the
 * kind's `selectableFields` may be named.
 */
export function fieldSelector(text: string | undefined, kind: ResourceKind): Selector {
  if (!text?.trim()) return everything;
  const known = ["metadata.name", "metadata.namespace", ...(kind.selectableFields ?? [])];
  const requirements = text.split(",").map((part): Selector => {
    const parsed = /^\s*([^=!\s]+)\s*(==|=|!=)\s*(.*?)\s*$/.exec(part);
    if (!parsed) throw badRequest(`invalid selector: '${part}'; can't understand '${part}'`);
    const [, field = "", operator, value] = parsed;
    if (!known.includes(field)) throw badRequest(`field label not supported: ${field}`);
    return (object) =>
      (String(valueAt(object, field.split(".")) ?? "") === value) === (operator !== "!=");
  });
  return (object) => requirements.every((holds) => holds(object));
}

/** The parts of an object that selectors read; while they do not change, neither does the selection. */
export function selectableView(object: KubeObject, kind: ResourceKind): string {
  const fields = (kind.selectableFields ?? []).map((field) => valueAt(object, field.split(".")));
  return JSON.stringify([object.metadata.labels ?? {}, fields]);
}

/** A selector of objects that match both selectors. */
export function both(a: Selector, b: Selector): Selector {
  return (object) => a(object) && b(object);
}

function splitOutsideParentheses(text: string): string[] {
  return text.split(/,(?![^(]*\))/).map((part) => part.trim());
}
