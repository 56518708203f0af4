import { AppError } from "../error.ts";
import { type Metadata, sharedTenant } from "../model/metadata.ts";
import type { Kind } from "../model/object.ts";
import type { ObjectOf } from "../model/object-of.ts";
import { load } from "../store/records.ts";
import type { Store } from "../store/store.ts";

/** Who asks, as far as accepting an order needs to know. */
export interface Caller {
  user: string;
  /** Whose objects are meant unless said otherwise. */
  tenant: string;
  /** An administrator of the provider, who sees every tenant's objects. */
  everywhere: boolean;
}

/** Kinds whose objects in tenant `shared` everybody sees. */
export const sharedKinds: ReadonlySet<Kind> = new Set<Kind>([
  "cluster_template",
  "cluster_version",
  "host_type",
]);

export function sees(
  caller: Caller,
  object: { kind: Kind; metadata: Pick<Metadata, "tenant"> },
): boolean {
  const { tenant } = object.metadata;
  return (
    caller.everywhere ||
    tenant === caller.tenant ||
    (tenant === sharedTenant && sharedKinds.has(object.kind))
  );
}

export const notFound = (id: string): AppError =>
  new AppError("NotFound", `object with identifier '${id}' not found`);

/** What is longer is no id of ours, and more than a key of the store may hold. */
export const isPlausibleId = (id: string): boolean => id !== "" && id.length <= 253;

/** Another tenant's object is missing, in the same words. Throws NotFound. */
export async function mustSee<K extends Kind>(
  store: Store,
  caller: Caller,
  kind: K,
  id: string,
): Promise<ObjectOf[K]> {
  const object = isPlausibleId(id) ? await load(store, kind, id) : undefined;
  if (!object || !sees(caller, object)) throw notFound(id);
  return object;
}

/** The tenant of a new object. Throws Forbidden when the caller may not choose it. */
export function tenantFor(
  caller: Caller,
  wanted: string | undefined,
  fallback = caller.tenant,
): string {
  if (wanted === undefined || wanted === "") return fallback;
  if (caller.everywhere || wanted === caller.tenant) return wanted;
  throw new AppError("Forbidden", `tenant '${wanted}' can't be assigned`);
}
