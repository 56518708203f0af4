import { v4 } from "uuid";
import type { KubeInput, KubeObject, ObjectMeta, ResourceKind } from "./object.ts";
import { badRequest, type FieldError, invalid } from "./status.ts";

const label = `[a-z0-9]([-a-z0-9]*[a-z0-9])?`;
const dnsLabel = new RegExp(`^${label}$`);
const dnsSubdomain = new RegExp(`^${label}(\\.${label})*$`);
const qualifiedName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const labelMessage =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomainMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const qualifiedMessage =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const valueMessage =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/** The metadata of a new object: the client's members, and those that the server adds. */
export function newMetadata(
  kind: ResourceKind,
  input: KubeInput,
  now: string,
  random: () => number,
): ObjectMeta {
  const { name, generateName, namespace, labels, annotations, finalizers, ownerReferences } =
    input.metadata;
  if (input.metadata.resourceVersion) {
    throw badRequest("resourceVersion should not be set on objects to be created");
  }
  if (!name && !generateName) {
    const message = "Required value: name or generateName is required";
    throw invalid(kind, "", [{ reason: "FieldValueRequired", field: "metadata.name", message }]);
  }
  return {
    name: name || `${generateName?.slice(0, 58)}${suffix(random)}`,
    ...(generateName && { generateName }),
    ...(kind.namespaced && namespace && { namespace }),
    uid: v4({ random: Uint8Array.from({ length: 16 }, () => Math.floor(random() * 256)) }),
    resourceVersion: "",
    ...(!kind.builtIn && { generation: 1 }),
    creationTimestamp: now,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(finalizers && { finalizers }),
    ...(ownerReferences && { ownerReferences }),
  };
}

/**
 * The metadata after an update: labels, annotations, finalizers and owner references are the client's, all others stay.
 */
export function updatedMetadata(live: ObjectMeta, next: Partial<ObjectMeta>): ObjectMeta {
  const { labels: _, annotations: __, finalizers: ___, ownerReferences: ____, ...kept } = live;
  const { labels, annotations, finalizers, ownerReferences } = next;
  return {
    ...kept,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(finalizers && { finalizers }),
    ...(ownerReferences && { ownerReferences }),
  };
}

/** The errors of names and labels; `live` is the object before, if there was one. */
export function metadataErrors(
  kind: ResourceKind,
  metadata: ObjectMeta,
  live: KubeObject | undefined,
): FieldError[] {
  return [
    ...(live ? [] : nameErrors(kind, metadata.name)),
    ...labelErrors(metadata.labels ?? {}),
    ...keyErrors("metadata.annotations", Object.keys(metadata.annotations ?? {})),
    ...finalizerErrors(metadata, live),
  ];
}

function nameErrors(kind: ResourceKind, name: string): FieldError[] {
  const rule = kind.names ?? "subdomain";
  const field = "metadata.name";
  if (rule === "path") {
    const bad = name === "." || name === ".." || /[/%]/.test(name);
    return bad ? [wrong(field, name, `may not contain '/' or '%'`)] : [];
  }
  const longest = rule === "label" ? 63 : 253;
  const pattern = rule === "label" ? dnsLabel : dnsSubdomain;
  const message = rule === "label" ? labelMessage : subdomainMessage;
  return [
    ...(name.length > longest ? [wrong(field, name, `must be no more than ${longest} bytes`)] : []),
    ...(pattern.test(name) ? [] : [wrong(field, name, message)]),
  ];
}

function labelErrors(labels: Record<string, string>): FieldError[] {
  const field = "metadata.labels";
  const values = Object.values(labels).flatMap((value) => [
    ...(value.length > 63 ? [wrong(field, value, "must be no more than 63 bytes")] : []),
    ...(value === "" || qualifiedName.test(value) ? [] : [wrong(field, value, valueMessage)]),
  ]);
  return [...keyErrors(field, Object.keys(labels)), ...values];
}

/** Keys are `name` or `<DNS subdomain>/name`. */
function keyErrors(field: string, keys: string[]): FieldError[] {
  return keys.flatMap((key) => {
    const parts = key.split("/");
    const [name = "", prefix] = parts.toReversed();
    if (parts.length > 2) {
      const example = `a valid label key must consist of a DNS subdomain prefix and a name, separated by one '/'`;
      return [wrong(field, key, `${qualifiedMessage}; ${example}`)];
    }
    if (prefix !== undefined && !dnsSubdomain.test(prefix)) {
      return [wrong(field, key, `prefix part ${subdomainMessage}`)];
    }
    if (name.length > 63) return [wrong(field, key, "name part must be no more than 63 bytes")];
    return qualifiedName.test(name) ? [] : [wrong(field, key, qualifiedMessage)];
  });
}

function finalizerErrors(metadata: ObjectMeta, live: KubeObject | undefined): FieldError[] {
  if (!live?.metadata.deletionTimestamp) return [];
  const before = live.metadata.finalizers ?? [];
  const added = (metadata.finalizers ?? []).filter((finalizer) => !before.includes(finalizer));
  if (added.length === 0) return [];
  const list = added.map((finalizer) => `"${finalizer}"`).join(", ");
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [{ reason: "FieldValueForbidden", field: "metadata.finalizers", message }];
}

function wrong(field: string, value: string, why: string): FieldError {
  const message = `Invalid value: ${JSON.stringify(value)}: ${why}`;
  return { reason: "FieldValueInvalid", field, message };
}

/** Five characters without vowels and ambiguous ones, as apimachinery generates. */
function suffix(random: () => number): string {
  const alphabet = "bcdfghjklmnpqrstvwxz2456789";
  return Array.from({ length: 5 }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
}
