import type { ReferenceInput } from "../input/reference.ts";
import { type ClusterVersion, isOrderable } from "../model/cluster-version.ts";
import { type Reference, sharedTenant } from "../model/metadata.ts";
import type { Kind } from "../model/object.ts";
import type { ObjectOf } from "../model/object-of.ts";
import { defaultVersionKey, nameKey, projectNameKey } from "../store/keys.ts";
import { load } from "../store/records.ts";
import type { Store } from "../store/store.ts";

export const referenceTo = (object: { id: string; metadata: { name: string } }): Reference => ({
  id: object.id,
  name: object.metadata.name,
});

/** The object that a reference of a tenant means: its own or a shared one, by id or by name. */
export async function resolve<K extends Kind>(
  store: Store,
  kind: K,
  tenant: string,
  reference: ReferenceInput,
): Promise<ObjectOf[K] | undefined> {
  return meant(reference, {
    byId: (id) => byId(store, kind, tenant, id),
    byName: (name) => byName(store, kind, tenant, name),
  });
}

/** A string is an id or a name; of an object, both members must be right. */
async function meant<O extends ObjectOf[Kind]>(
  reference: ReferenceInput,
  find: Record<"byId" | "byName", (text: string) => Promise<O | undefined>>,
): Promise<O | undefined> {
  const { id, name } =
    typeof reference === "string" ? { id: reference, name: reference } : reference;
  const found = id ? await find.byId(id) : undefined;
  if (typeof reference !== "string" && id)
    return !name || found?.metadata.name === name ? found : undefined;
  return found ?? (name ? find.byName(name) : undefined);
}

/** Where something is: its tenant, and its project if it is in one. */
export interface Place {
  tenant: string;
  project?: string | undefined;
}

/** As `resolve`, of the same tenant and the same project only, as OSAC's local references are. */
export async function resolveLocal<K extends Kind>(
  store: Store,
  kind: K,
  { tenant, project }: Place,
  reference: ReferenceInput,
): Promise<ObjectOf[K] | undefined> {
  return meant(reference, {
    byId: async (id) => {
      const object = await load(store, kind, id);
      const isHere =
        object?.metadata.tenant === tenant && (object.metadata.project ?? "") === (project ?? "");
      return isHere ? object : undefined;
    },
    byName: async (name) => {
      const claim = await store.get(nameKey(kind, tenant, project ?? "", name));
      return typeof claim?.id === "string" ? load(store, kind, claim.id) : undefined;
    },
  });
}

async function byId<K extends Kind>(store: Store, kind: K, tenant: string, id: string) {
  const object = await load(store, kind, id);
  return object && (object.metadata.tenant === tenant || object.metadata.tenant === sharedTenant)
    ? object
    : undefined;
}

/** The tenant's own before the shared one. */
export async function byName<K extends Kind>(
  store: Store,
  kind: K,
  tenant: string,
  name: string,
): Promise<ObjectOf[K] | undefined> {
  for (const owner of new Set([tenant, sharedTenant])) {
    const isPath = kind === "project";
    const key = isPath ? projectNameKey(owner, name) : nameKey(kind, owner, "", name);
    const claim = await store.get(key);
    const object = typeof claim?.id === "string" ? await load(store, kind, claim.id) : undefined;
    if (object) return object;
  }
  return undefined;
}

/** The version that orders get which name none: the tenant's own, else the shared one. */
export async function defaultVersion(
  store: Store,
  tenant: string,
): Promise<ClusterVersion | undefined> {
  for (const owner of new Set([tenant, sharedTenant])) {
    const claim = await store.get(defaultVersionKey(owner));
    const version =
      typeof claim?.id === "string" ? await load(store, "cluster_version", claim.id) : undefined;
    if (version && isOrderable(version)) return version;
  }
  return undefined;
}
