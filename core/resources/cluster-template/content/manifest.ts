import type { Issue } from "../../../kernel/input/field.ts";
import { isObject } from "../../../kernel/input/shape.ts";
import type { Json } from "../../../kernel/store/store.ts";
import type { ManifestSource } from "../model.ts";
import type { Parameter } from "../parameter.ts";
import { isPlaceholder, placeholderIssues } from "./placeholders.ts";
import { isNamespaced, refusedKind, refusedNamespace } from "./policy.ts";

/** The rules for a manifest: it has to be safe to apply repeatedly, and to write only where templates may. */

const namePattern = /^[a-z0-9]([a-z0-9.:-]{0,251}[a-z0-9])?$/;
const namespacePattern = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const apiVersionPattern = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?\/)?v[0-9][a-z0-9]*$/;
const metadataMembers = ["name", "namespace", "labels", "annotations"];
const ownPrefix = "slipway.dev/";

export const groupOf = (apiVersion: string): string =>
  apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";

/** The identity of an object; two objects with one identity would overwrite each other. */
export function identityOf({ apiVersion, kind, metadata }: ManifestSource): string {
  const { name, namespace = "" } = isObject(metadata) ? metadata : {};
  return JSON.stringify([groupOf(String(apiVersion)), kind, namespace, name]);
}

/** All faults of a manifest. */
export function manifestIssues(manifest: ManifestSource, parameters: Parameter[]): Issue[] {
  return [
    ...headIssues(manifest),
    ...reachIssues(manifest),
    ...placeholderIssues(manifest, parameters),
    ...textIssues(manifest, parameters),
    ...numberIssues(manifest),
  ];
}

/** The faults of the members that identify the object; none of them may be a placeholder. */
function headIssues({ apiVersion, kind, metadata, status }: ManifestSource): Issue[] {
  const issues: Issue[] = [];
  const need = (path: string[], value: Json | undefined, pattern: RegExp, such: string) => {
    if (isPlaceholder(value)) issues.push({ path, message: "cannot be a parameter" });
    else if (value === undefined) issues.push({ path, message: "is required" });
    else if (typeof value !== "string" || !pattern.test(value))
      issues.push({ path, message: `must be ${such}` });
  };
  need(["apiVersion"], apiVersion, apiVersionPattern, "[group/]version, such as apps/v1");
  need(["kind"], kind, /^[A-Z][A-Za-z0-9]*$/, "a kind, such as ConfigMap");
  if (status !== undefined)
    issues.push({ path: ["status"], message: "must be left out: only the cluster writes it" });
  if (!isObject(metadata)) {
    return [...issues, { path: ["metadata"], message: "must be an object with a name" }];
  }
  need(["metadata", "name"], metadata.name, namePattern, "the name of a Kubernetes object");
  if (metadata.namespace !== undefined)
    need(["metadata", "namespace"], metadata.namespace, namespacePattern, "a namespace");
  for (const member of Object.keys(metadata)) {
    if (!metadataMembers.includes(member)) {
      const message = `cannot be set by a template, which can set ${metadataMembers.join(", ")}`;
      issues.push({ path: ["metadata", member], message });
    }
  }
  for (const member of ["labels", "annotations"] as const) {
    for (const key of Object.keys(isObject(metadata[member]) ? metadata[member] : {})) {
      if (key.startsWith(ownPrefix))
        issues.push({ path: ["metadata", member, key], message: "is reserved for Slipway" });
    }
  }
  return issues;
}

/** Faults of kinds and namespaces that templates may not use. */
function reachIssues({ apiVersion, kind, metadata }: ManifestSource): Issue[] {
  if (typeof apiVersion !== "string" || typeof kind !== "string") return [];
  const group = groupOf(apiVersion);
  const reason = refusedKind(group, kind);
  if (reason)
    return [
      { path: ["kind"], message: `a template cannot bring a ${kind} (${apiVersion}): ${reason}` },
    ];
  const { name, namespace } = isObject(metadata) ? metadata : {};
  const path = ["metadata", "namespace"];
  const namespaced = isNamespaced(group, kind);
  if (namespaced === true && namespace === undefined)
    return [{ path, message: `is required for a ${kind}` }];
  if (namespaced === false && namespace !== undefined)
    return [{ path, message: `must be left out: a ${kind} has no namespace` }];
  const [place, where] =
    group === "" && kind === "Namespace" ? [name, ["metadata", "name"]] : [namespace, path];
  const closed = typeof place === "string" ? refusedNamespace(place) : undefined;
  return closed
    ? [
        {
          path: where,
          message: `a template cannot write into namespace '${String(place)}': ${closed}`,
        },
      ]
    : [];
}

/** Faults of metadata that has to be text: a cluster refuses the numbers that YAML or a parameter can make of it. */
function textIssues(manifest: ManifestSource, parameters: Parameter[]): Issue[] {
  const { metadata } = manifest;
  const { labels, annotations } = isObject(metadata) ? metadata : {};
  const maps: [string[], Json | undefined][] = [
    [["metadata", "labels"], labels],
    [["metadata", "annotations"], annotations],
  ];
  return maps.flatMap(([path, map]): Issue[] => {
    if (map === undefined) return [];
    if (!isObject(map) || isPlaceholder(map))
      return [{ path, message: "must be a map of names to text" }];
    return Object.entries(map).flatMap(([name, value]) => {
      const type = typeOf(value, parameters);
      if (type === undefined || type === "string") return [];
      return [
        {
          path: [...path, name],
          message: `must be text, but is ${type}: quote it, or use {$json: …}`,
        },
      ];
    });
  });
}

/** The type of a value, or of the value that will replace a placeholder; undefined if unknown. */
export function typeOf(value: Json, parameters: Parameter[]): string | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (!isObject(value)) return typeof value;
  if (Object.hasOwn(value, "$json")) return "string";
  if (!Object.hasOwn(value, "$parameter")) return "an object";
  return parameters.find(({ name }) => name === value.$parameter)?.type;
}

/** Faults of numbers that JSON or the API server cannot store exactly. */
function numberIssues(tree: Json, path: PropertyKey[] = []): Issue[] {
  if (typeof tree === "number") {
    const kept = Number.isFinite(tree) && (!Number.isInteger(tree) || Number.isSafeInteger(tree));
    return kept
      ? []
      : [{ path, message: `${tree} is not a number that can be stored exactly; quote it` }];
  }
  if (Array.isArray(tree)) return tree.flatMap((item, n) => numberIssues(item, [...path, n]));
  if (!isObject(tree)) return [];
  return Object.entries(tree).flatMap(([name, item]) => numberIssues(item, [...path, name]));
}
