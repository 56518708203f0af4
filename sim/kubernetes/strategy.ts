import { metadataErrors } from "./metadata.ts";
import type { KubeInput, KubeObject, ResourceKind } from "./object.ts";
import type { WriteOptions } from "./options.ts";
import { isObject } from "./paths.ts";
import { immutableErrors, validate } from "./schema.ts";
import { conflict, denied, invalid, staleVersion } from "./status.ts";
import type { ObjectKey } from "./store.ts";

/** The rules of writes, without their storage. */

/**
 * Validates an object by its kind's schema, and returns it with defaults. Throws 400 for unknown fields and 422 for all
 * other errors; `live` is the object before, if there was one.
 */
export function validated(
  kind: ResourceKind,
  object: KubeObject,
  live: KubeObject | undefined,
  options: WriteOptions,
): KubeObject {
  const fields = options.fieldValidation ?? "Strict";
  const { object: valid, dropped } = validate(kind, object, fields);
  const errors = [
    ...metadataErrors(kind, object.metadata, live),
    ...(live ? immutableErrors(kind, live, valid) : []),
  ];
  if (errors.length > 0) throw invalid(kind, object.metadata.name, errors);
  const refusal = live && kind.refuses?.(live, object);
  if (refusal !== undefined) throw denied(kind, object.metadata.name, refusal);
  if (fields === "Warn") for (const field of dropped) options.warn?.(`unknown field "${field}"`);
  // The metadata were complete before the validation, so they are added unchanged.
  return valid as KubeObject;
}

export function keyOf({ namespace, name }: { namespace?: string; name: string }): ObjectKey {
  return { namespace: namespace ?? "", name };
}

function hasStatus(kind: ResourceKind): boolean {
  return kind.subresources?.includes("status") ?? false;
}

/** Removes the status of a kind with the status subresource, since the main endpoint ignores it. */
export function withoutStatus(kind: ResourceKind, object: KubeInput): KubeInput {
  if (!hasStatus(kind)) return object;
  const { status: _, ...rest } = object;
  return { ...rest, apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata };
}

/** The next object with the live status, which only the subresource may change. */
export function withStatusOf(kind: ResourceKind, live: KubeObject, next: KubeInput): KubeInput {
  if (!hasStatus(kind)) return next;
  const status = live.status === undefined ? {} : { status: live.status };
  return { ...withoutStatus(kind, next), ...status };
}

/**
 * The members whose changes increase `metadata.generation`: not the metadata, and not a status with its own
 * subresource.
 */
export function desired(kind: ResourceKind, object: KubeObject): Record<string, unknown> {
  const { metadata: _, ...rest } = withoutStatus(kind, object);
  return rest;
}

/** The object without its managedFields. */
export function withoutManagers(object: KubeObject): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

export function isInput(value: unknown): value is KubeInput {
  return isObject(value) && isObject(value.metadata);
}

/** Throws 409 unless the live object has the expected version. */
export function requireVersion(
  kind: ResourceKind,
  live: KubeObject,
  expected: { uid?: string | undefined; resourceVersion?: string | undefined },
): void {
  const { name, uid, resourceVersion } = live.metadata;
  if (expected.uid && expected.uid !== uid) {
    throw conflict(kind, name, uidMismatch(expected.uid, uid));
  }
  if (expected.resourceVersion && expected.resourceVersion !== resourceVersion) {
    throw staleVersion(kind, name);
  }
}

export function uidMismatch(expected: string, uid: string): string {
  return `Precondition failed: UID in precondition: ${expected}, UID in object meta: ${uid}`;
}
