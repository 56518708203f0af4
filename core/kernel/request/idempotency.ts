import { createHash } from "node:crypto";
import { AppError } from "../../error.ts";
import { canonicalJson } from "../input/canonical-json.ts";
import type { Json } from "../input/shape.ts";
import { idempotencyKey } from "../object/keys.ts";
import type { Kind } from "../object/object.ts";
import type { ObjectOf } from "../object/object-of.ts";
import type { Records } from "../object/records.ts";
import { isHeld } from "../object/tenancy.ts";
import { absent, any, compare, type Put } from "../store/store.ts";
import { type Caller, sees } from "./caller.ts";

/** How long a key is remembered, in seconds. */
const memory = 24 * 3600;

/** The key and the hash that make a repeated request safe. */
export interface Idempotency {
  key: string;
  /** The hash of the request; see `hashOf`. */
  hash: string;
}

/** The hash of a request's body. The order of members does not matter. */
export function hashOf(kind: Kind, body: Json): string {
  return createHash("sha256")
    .update(`${kind} ${canonicalJson(body)}`)
    .digest("hex");
}

/**
 * The objects that were accepted together under this key; undefined when the key is new. Throws IdempotencyMismatch
 * when the key was used for another request.
 */
async function acceptedBefore<K extends Kind>(
  { store, kinds }: Records,
  caller: Caller,
  { key, hash }: Idempotency,
  now: number,
): Promise<ObjectOf[K][] | undefined> {
  const item = await store.get(idempotencyKey(caller.tenant, key));
  if (!item || Number(item.expires) <= now / 1000) return undefined;
  // Only `remember` writes such items.
  const object = item.accepted as unknown as ObjectOf[K];
  const others = (item.others ?? []) as unknown as ObjectOf[K][];
  const isOwn =
    caller.everywhere ||
    (await isHeld({ store, kinds }, caller.tenant, object.metadata.creation_timestamp));
  // A repetition gets no answer if the caller may not see the object's project, or if the object belongs to a
  // previous tenant of the name.
  if (item.hash !== hash || !isOwn || !sees(kinds, caller, object)) {
    throw new AppError("IdempotencyMismatch", "this Idempotency-Key was used for another request");
  }
  return [object, ...others];
}

interface Once<K extends Kind, Result> {
  accept(): Promise<Result>;
  /** `others`: the objects that were accepted together with this one. */
  replay(object: ObjectOf[K], others: ObjectOf[K][]): Result | Promise<Result>;
}

/**
 * Accepts a request once. If an object was accepted under the request's key, the answer has that object. After a
 * refusal the key is read again: of two equal requests at once, the second is refused because the first has claimed the
 * name and the quota. The second then gets the answer of the first.
 */
export async function onceUnder<K extends Kind, Result>(
  records: Records,
  caller: Caller,
  idempotency: Idempotency | undefined,
  now: number,
  { accept, replay }: Once<K, Result>,
): Promise<Result> {
  if (!idempotency) return accept();
  const again = async () => {
    const [object, ...others] = (await acceptedBefore<K>(records, caller, idempotency, now)) ?? [];
    return object && replay(object, others);
  };
  const before = await again();
  if (before) return before;
  try {
    return await accept();
  } catch (refusal) {
    const meanwhile = await again();
    if (meanwhile) return meanwhile;
    throw refusal;
  }
}

/** Stores the object and the objects accepted with it under the key, in the transaction that accepts them. */
export function remember(
  tenant: string,
  { key, hash }: Idempotency,
  object: ObjectOf[Kind],
  now: number,
  others: ObjectOf[Kind][] = [],
): Put {
  const seconds = Math.floor(now / 1000);
  return {
    put: {
      ...idempotencyKey(tenant, key),
      hash,
      accepted: JSON.parse(JSON.stringify(object)),
      ...(others.length > 0 && { others: JSON.parse(JSON.stringify(others)) }),
      expires: seconds + memory,
    },
    if: any(absent, compare("expires", "le", seconds)),
  };
}
