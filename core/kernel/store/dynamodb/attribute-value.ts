/**
 * JSON and bytes in DynamoDB's form. The SDK's own document client is not used, because it detects types by
 * `value.constructor.name`: a tenant's `{"constructor": {"name": "Set"}}` would become a set.
 */

import type { Value } from "../size.ts";
import type { Key } from "../store.ts";

/** An attribute value in the form of the SDK and of Lambda's events, which have bytes as base64. */
interface Attribute {
  S?: string;
  N?: string;
  BOOL?: boolean;
  NULL?: boolean;
  B?: Uint8Array | string;
  L?: Attribute[];
  M?: Image;
}

export type Image = Record<string, Attribute>;

/** An attribute value of exactly one type, which the SDK requires. */
type Written =
  | { S: string }
  | { N: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { B: Uint8Array }
  | { L: Written[] }
  | { M: Record<string, Written> };

export function toImage(map: { [name: string]: Value }): Record<string, Written> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, toAttribute(value)]));
}

/** The key of an item in DynamoDB's form, without other members: a caller may pass a whole item. */
export function toKey({ pk, sk }: Key): Record<string, Written> {
  return toImage({ pk, sk });
}

function toAttribute(value: Value): Written {
  if (value === null) return { NULL: true };
  if (typeof value === "string") return { S: value };
  if (typeof value === "number") return { N: String(value) };
  if (typeof value === "boolean") return { BOOL: value };
  if (value instanceof Uint8Array) return { B: value };
  return Array.isArray(value) ? { L: value.map(toAttribute) } : { M: toImage(value) };
}

/** The value of an image. The caller knows whether it is of an item or of a key. */
export function fromImage<T extends { [name: string]: Value } | Key>(image: Image): T {
  return fromMap(image) as T;
}

function fromMap(map: Image): { [name: string]: Value } {
  return Object.fromEntries(
    Object.entries(map).map(([name, value]) => [name, fromAttribute(value)]),
  );
}

function fromAttribute({ S, N, BOOL, B, L, M }: Attribute): Value {
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  if (BOOL !== undefined) return BOOL;
  if (B !== undefined) return typeof B === "string" ? Buffer.from(B, "base64") : B;
  if (L) return L.map(fromAttribute);
  return M ? fromMap(M) : null;
}
