/**
 * JSON as DynamoDB writes it. The SDK's own document client is not used, because it tells types
 * by `value.constructor.name`: a tenant's `{"constructor": {"name": "Set"}}` would come out as a set.
 */

import type { JsonMap } from "../path.ts";
import type { Json, Key } from "../store.ts";

/** An attribute value in the form of the SDK and of Lambda's events. */
interface Attribute {
  S?: string;
  N?: string;
  BOOL?: boolean;
  NULL?: boolean;
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
  | { L: Written[] }
  | { M: Record<string, Written> };

export function toImage(map: JsonMap): Record<string, Written> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, toAttribute(value)]));
}

/** The key of an item in DynamoDB's form, without other members: a caller may pass a whole item. */
export function toKey({ pk, sk }: Key): Record<string, Written> {
  return toImage({ pk, sk });
}

function toAttribute(value: Json): Written {
  if (value === null) return { NULL: true };
  if (typeof value === "string") return { S: value };
  if (typeof value === "number") return { N: String(value) };
  if (typeof value === "boolean") return { BOOL: value };
  return Array.isArray(value) ? { L: value.map(toAttribute) } : { M: toImage(value) };
}

/** The value of an image. The caller knows whether it is of an item or of a key. */
export function fromImage<T extends JsonMap | Key>(image: Image): T {
  return fromMap(image) as T;
}

function fromMap(map: Image): JsonMap {
  return Object.fromEntries(
    Object.entries(map).map(([name, value]) => [name, fromAttribute(value)]),
  );
}

function fromAttribute({ S, N, BOOL, L, M }: Attribute): Json {
  if (S !== undefined) return S;
  if (N !== undefined) return Number(N);
  if (BOOL !== undefined) return BOOL;
  if (L) return L.map(fromAttribute);
  return M ? fromMap(M) : null;
}
